def merge_sightings(first, second):
    """Merges two lists of sightings, keeping duplicate entries of the first list."""
    return first + second
