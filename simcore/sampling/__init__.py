"""Hidden cards drawn at random: layouts that agree with everything known, each equally likely, and deals made of them.

`layouts` holds the sampler itself, for policies that play by sampling and for estimates alike; `attempts` and `plays` deal
and play what is known of one deal; `patterns` and `known` read it and say what contradicts itself.
"""
