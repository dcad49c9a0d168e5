import { createTracer, withSpan } from "gadwall";

const tracer = createTracer({ service: "billing" });

await withSpan(tracer, "invoice", async (span) => {
  span.setAttributes({ customer: 42 });
});
