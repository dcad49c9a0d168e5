# Guide

def process(items):
    result = []
    for item in items:
        result.append(transform(item, strict=True))
    return result

print(process([]))
