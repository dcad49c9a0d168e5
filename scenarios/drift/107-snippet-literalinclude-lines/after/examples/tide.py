import sys

HOURS = 24


def tide(hour):
    return hour % 12
