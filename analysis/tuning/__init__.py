"""Scoring tables judged and searched by auctions over stored trick tables (docs/howto/tune-a-table.md)."""
