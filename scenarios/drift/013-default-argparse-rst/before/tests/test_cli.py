from mudflat.cli import build_parser


def test_output():
    assert build_parser().parse_args([]).output == "samples.csv"
