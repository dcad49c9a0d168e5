import argparse


def main():
    parser = argparse.ArgumentParser(prog="gannet")
    parser.add_argument("--compression", choices=["none", "gzip", "bzip2", "zstd"])
    return parser.parse_args()
