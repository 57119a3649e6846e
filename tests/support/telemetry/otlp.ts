/**
 * Reads the messages of an exporter over OTLP/HTTP, by the published schema of OTLP 1
 * (https://github.com/open-telemetry/opentelemetry-proto, `trace_service.proto` and what it imports). protobufjs is independent of
 * the exporter.
 */
import protobuf from 'protobufjs';

export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a span that begins a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of the spans that it is linked to. */
  readonly links: readonly string[];
  readonly isError: boolean;
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** The spans of a body. Throws when the body does not match the schema. */
export const readSpans = (body: Uint8Array): ReadSpan[] => {
  const [all, known] = [false, true].map((discardUnknown) =>
    request.encode(request.decode(Object.assign(protobuf.Reader.create(body), { discardUnknown }))).finish(),
  );
  if (all?.length !== known?.length) throw new Error('The body has a field that is not in the schema.');
  const { resourceSpans }: Body = toBody(body);
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => toReadSpan(span, resource))),
  );
};

const toBody = (body: Uint8Array): Body => ({
  resourceSpans: [],
  ...request.toObject(request.decode(body), { enums: String, longs: String, defaults: true, oneofs: true }),
});

const toReadSpan = (
  span: Body['resourceSpans'][number]['scopeSpans'][number]['spans'][number],
  resource: Attributed,
) => ({
  traceId: toId(span.traceId, 16),
  spanId: toId(span.spanId, 8),
  parentSpanId: span.parentSpanId.length === 0 ? '' : toId(span.parentSpanId, 8),
  name: span.name,
  kind: span.kind,
  startMs: toMs(span.startTimeUnixNano),
  endMs: toMs(span.endTimeUnixNano),
  attributes: toRecord(span),
  links: span.links.map(({ spanId }) => toId(spanId, 8)),
  isError: span.status?.code === 'STATUS_CODE_ERROR',
  resource: toRecord(resource),
});

/** To the microsecond: a number cannot have all the nanoseconds since 1970. */
const toMs = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

/** Throws unless it has as many bytes, not all of them 0. */
const toId = (bytes: Uint8Array, lengthBytes: number): string => {
  if (bytes.length !== lengthBytes || bytes.every((byte) => byte === 0)) throw new Error('An id is not valid.');
  return Buffer.from(bytes).toString('hex');
};

const toRecord = ({ attributes }: Attributed): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]));

const toValue = ({ value = '', ...values }: Value): unknown =>
  value === 'intValue' ? Number(values[value]) : values[value];

interface Value {
  /** Which member has the value. */
  readonly value?: string | undefined;
  readonly [member: string]: unknown;
}

interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: Attributed;
    readonly scopeSpans: readonly {
      readonly spans: readonly (Attributed & {
        readonly traceId: Uint8Array;
        readonly spanId: Uint8Array;
        readonly parentSpanId: Uint8Array;
        readonly name: string;
        readonly kind: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly links: readonly { readonly spanId: Uint8Array }[];
        readonly status: { readonly code: string } | null;
      })[];
    }[];
  }[];
}

const field = (type: string, id: number) => ({ type, id });
const list = (type: string, id: number) => ({ rule: 'repeated', type, id });
const attributes = (id: number) => ({
  attributes: list('KeyValue', id),
  droppedAttributesCount: field('uint32', id + 1),
});
const named = (names: readonly string[]) => ({ values: Object.fromEntries(names.map((name, value) => [name, value])) });

const schema = protobuf.Root.fromJSON({
  nested: {
    ExportTraceServiceRequest: { fields: { resourceSpans: list('ResourceSpans', 1) } },
    ResourceSpans: {
      fields: { resource: field('Resource', 1), scopeSpans: list('ScopeSpans', 2), schemaUrl: field('string', 3) },
    },
    Resource: { fields: attributes(1) },
    ScopeSpans: {
      fields: { scope: field('InstrumentationScope', 1), spans: list('Span', 2), schemaUrl: field('string', 3) },
    },
    InstrumentationScope: { fields: { name: field('string', 1), version: field('string', 2), ...attributes(3) } },
    Span: {
      fields: {
        traceId: field('bytes', 1),
        spanId: field('bytes', 2),
        traceState: field('string', 3),
        parentSpanId: field('bytes', 4),
        name: field('string', 5),
        kind: field('SpanKind', 6),
        startTimeUnixNano: field('fixed64', 7),
        endTimeUnixNano: field('fixed64', 8),
        ...attributes(9),
        events: list('Event', 11),
        droppedEventsCount: field('uint32', 12),
        links: list('Link', 13),
        droppedLinksCount: field('uint32', 14),
        status: field('Status', 15),
        flags: field('fixed32', 16),
      },
    },
    SpanKind: named(['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']),
    Event: { fields: { timeUnixNano: field('fixed64', 1), name: field('string', 2), ...attributes(3) } },
    Link: {
      fields: {
        traceId: field('bytes', 1),
        spanId: field('bytes', 2),
        traceState: field('string', 3),
        ...attributes(4),
        flags: field('fixed32', 6),
      },
    },
    Status: { fields: { message: field('string', 2), code: field('StatusCode', 3) } },
    StatusCode: named(['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR']),
    KeyValue: { fields: { key: field('string', 1), value: field('AnyValue', 2) } },
    AnyValue: {
      oneofs: { value: { oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'bytesValue'] } },
      fields: {
        stringValue: field('string', 1),
        boolValue: field('bool', 2),
        intValue: field('int64', 3),
        doubleValue: field('double', 4),
        arrayValue: field('ArrayValue', 5),
        bytesValue: field('bytes', 7),
      },
    },
    ArrayValue: { fields: { values: list('AnyValue', 1) } },
  },
});

const request = schema.lookupType('ExportTraceServiceRequest');
