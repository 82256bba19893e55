"""Why a policy decided as it did: the policies once more, from the same views, with the rule and the numbers. Plain Python."""
