from .merge import merge_sightings

__all__ = ["merge_sightings"]
