import { describe, expect, onTestFinished, test } from 'vitest'
import { type GatewayOptions, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type ReceivedSpan, startTraceReceiver } from '../../testkit/http/trace-receiver.ts'
import { goodProvider } from '../../testkit/providers/good-provider.ts'
import { startUpstream } from '../../testkit/providers/upstream.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'

/** A gateway with a provider and a collector. */
async function startTraced(environment: Record<string, string> = {}) {
  const receiver = await startTraceReceiver()
  const upstream = await startUpstream(goodProvider)
  const options: GatewayOptions = {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment },
    file: {
      models: {
        providers: {
          model_provider_a: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } },
        },
      },
    },
  }
  const gateway = await startGateway(options)
  let isStopped = false
  /** Sends what is left. */
  const stop = async () => {
    if (!isStopped) await gateway.stop()
    isStopped = true
  }
  onTestFinished(async () => {
    await stop()
    await upstream.close()
    await receiver.close()
  })
  const customer = await PayingCustomer.join(gateway)
  const chat = (headers: Record<string, string>, key = customer.newKey(), body: object = { prompt: 'hello' }) =>
    gateway.send(
      'POST',
      '/v1/models/chat',
      { authorization: `Bearer ${customer.apiKey}`, 'idempotency-key': key, ...headers },
      JSON.stringify(body),
    )
  return { gateway, receiver, upstream, chat, stop }
}

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)

describe('traces', () => {
  test('traces of a paid call join the caller, show its steps and reach the provider', async () => {
    const { receiver, upstream, chat, stop } = await startTraced()
    const sent = { traceparent: `00-${traceId}-${callerSpan}-01`, tracestate: 'vendor=1' }
    expect((await chat(sent, 'once')).status).toBe(200)
    expect((await chat(sent, 'once')).headers['idempotent-replayed']).toBe('true')
    await stop()

    const ours = receiver.spans.filter((span) => span.traceId === traceId)
    const [request, replay] = named(ours, 'POST /v1/models/chat')
    expect(request).toMatchObject({
      parentSpanId: callerSpan,
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/models/chat',
        'http.response.status_code': 200,
        'gateway.operation': 'model.chat',
        'gateway.request_id': expect.stringMatching(/^req_/),
      },
    })
    const [admit, admitReplay] = named(ours, 'admit')
    const [forward] = named(ours, 'forward')
    const [settle] = named(ours, 'settle')
    for (const step of [admit, forward, settle]) expect(step!.parentSpanId).toBe(request!.spanId)
    const charge = { 'gateway.charge_id': expect.stringMatching(/^chg_/) }
    expect(admit!.attributes).toEqual(charge)
    expect(forward).toMatchObject({ kind: 3, attributes: { 'gateway.outcome': 'confirmed' } })
    expect(settle!.attributes).toMatchObject(charge)
    expect(admitReplay).toMatchObject({ parentSpanId: replay!.spanId, attributes: { 'gateway.replayed': true } })
    expect(named(ours, 'forward')).toHaveLength(1)
    expect(upstream.calls.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual([
      // What the caller's own vendors noted is not for the provider.
      [`00-${traceId}-${forward!.spanId}-01`, undefined],
    ])
    expect(receiver.resources[0]).toMatchObject({ 'service.name': 'api-relay-gateway' })
  })

  test('traces begin with the gateway if the caller sends none, or one that is malformed', async () => {
    const { receiver, upstream, chat, stop } = await startTraced()
    await chat({})
    await chat({ traceparent: 'not a trace' })
    expect((await chat({}, 'refused', { prompt: '' })).status).toBe(400)
    await stop()

    const requests = named(receiver.spans, 'POST /v1/models/chat')
    expect(requests.map(({ parentSpanId }) => parentSpanId ?? null)).toEqual([null, null, null])
    expect(requests[2]!.attributes).toMatchObject({ 'http.response.status_code': 400, 'error.type': 'INVALID_PROMPT' })
    expect(upstream.calls.map(({ headers }) => headers.traceparent!.split('-')[1])).toEqual(
      requests.slice(0, 2).map((span) => span.traceId),
    )
  })

  test('traces are recorded up to the share, and never against the will of the caller', async () => {
    const { receiver, chat, stop } = await startTraced({ OTEL_TRACES_SAMPLER_ARG: '0' })
    await chat({ traceparent: `00-${traceId}-${callerSpan}-01` })
    await stop()
    expect(receiver.spans).toEqual([])

    const all = await startTraced()
    await all.chat({ traceparent: `00-${traceId}-${callerSpan}-00` })
    await all.stop()
    expect(all.receiver.spans.filter((span) => span.traceId === traceId)).toEqual([])
  })

  test('traces are not recorded more often because a caller chose its trace id', async () => {
    const { receiver, chat, stop } = await startTraced({ OTEL_TRACES_SAMPLER_ARG: '0.000001' })
    // The lowest ids are recorded at any share by samplers that look at them.
    for (let low = 1; low <= 5; low += 1) await chat({ traceparent: `00-${'0'.repeat(31)}${low}-${callerSpan}-01` })
    await stop()
    expect(named(receiver.spans, 'POST /v1/models/chat')).toEqual([])
  })

  test('traces that no collector takes cost no call', async () => {
    const { receiver, gateway, chat, stop } = await startTraced()
    receiver.refuse()
    expect((await chat({})).status).toBe(200)
    await stop()
    expect(
      gateway.log.filter((line) => line.includes('traces are not exported; their spans are dropped')),
    ).toHaveLength(1)
  })
})

test('without a collector no header is sent', async () => {
  const { upstream, chat } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  expect((await chat({ traceparent: `00-${traceId}-${callerSpan}-01` })).status).toBe(200)
  expect(upstream.calls[0]!.headers.traceparent).toBeUndefined()
})
