import sys


def tide(hour):
    return hour % 12
