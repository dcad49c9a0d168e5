import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="mudflat")
    parser.add_argument("--interval", type=int, default=30, help="seconds between two samples")
    parser.add_argument("--output", default="samples.csv", help="file to write")
    return parser
