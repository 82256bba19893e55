"""The schema of the sections of a variant: cards, exchange, auction, play, scoring, match; each field with its default.

The defaults of a kind are those of the game it comes from: a bridge auction and a contract table are Bridgette's, a call
auction is Call Bridge's, steps are Pit's. What a whole game has where a file says nothing is in ``simcore.config.families``.
"""
