# Guide

def process(items):
    result = []
    for item in items:
        result.append(transform(item))
    return result

print(process([]))
