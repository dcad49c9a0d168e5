export function createTracer(options) {
  return options;
}

export async function withSpan(tracer, name, run) {
  const span = tracer.startSpan(name);
  try {
    return await run(span);
  } finally {
    span.end({ name });
  }
}
