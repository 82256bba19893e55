"""Perfect play of two known hands: exact tricks and points. Plain Python."""
