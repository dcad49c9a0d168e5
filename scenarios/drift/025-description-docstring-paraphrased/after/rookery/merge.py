def merge_sightings(first, second):
    """Merges two lists of sightings, dropping whatever occurs in both."""
    return first + second
