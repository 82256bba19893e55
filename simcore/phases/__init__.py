"""The phases of a deal. Each kind of a phase is one file that begins with the rule it plays."""
