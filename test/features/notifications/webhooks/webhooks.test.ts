import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventTypes } from '../../../../src/contract/events.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { expectDone, expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'
import {
  type ReceivedRequest,
  type Receiver,
  responders,
  startReceiver,
} from '../../../../testkit/webhooks/receiver.ts'

const path = '/v1/console/webhooks'

describe.each(httpEngines)('webhooks on %s', (engine) => {
  let gateway: Gateway
  let receiver: Receiver
  let owner: Browser

  beforeAll(async () => {
    ;[gateway, receiver] = await Promise.all([
      startGateway({ engine, file: { limits: { sessionWritesPerProject: { max: 1000, windowSeconds: 60 } } } }),
      startReceiver(),
    ])
    owner = new Browser(gateway)
    await owner.register()
  })
  afterAll(async () => {
    await gateway.stop()
    await receiver.close()
  })

  const create = (settings: object = {}) =>
    owner.post(path, { url: `${receiver.origin}/hooks`, types: ['order.credited'], ...settings })
  const act = (webhookId: string, action: string, body: object = {}) =>
    owner.post(`${path}/${webhookId}/${action}`, body)
  const remove = (webhookId: string) => act(webhookId, 'delete')
  const deliveries = async (webhookId: string) =>
    (await look(owner, 'console.webhooks.deliveries', '', `${path}/${webhookId}/deliveries`)).items
  const received = async (count: number): Promise<ReceivedRequest> => {
    await expect.poll(() => receiver.requests.length).toBe(count)
    return receiver.requests[count - 1]!
  }
  const verify = (secret: string, { body, headers }: ReceivedRequest) =>
    new Webhook(secret).verify(body, headers as Record<string, string>)

  it('webhooks deliver an event that the library of Standard Webhooks verifies', async () => {
    const created = await create()
    expectDone('console.webhooks.create', created)
    const { webhookId, secret } = created.body
    expect(Object.keys(created.body).sort()).toEqual(['createdAt', 'secret', 'state', 'types', 'url', 'webhookId'])
    expect(await look(owner, 'console.webhooks.list')).toMatchObject({
      items: [{ webhookId, url: `${receiver.origin}/hooks`, types: ['order.credited'], state: 'enabled' }],
      max: 10,
    })
    expect((await owner.get(path)).text).not.toContain(secret)
    await owner.recharge(1000)
    const request = await received(1)
    expect(verify(secret, request)).toMatchObject({ type: 'order.credited', data: { credits: 100 } })
    expect(JSON.parse(request.body).id).toBe(request.headers['webhook-id'])
    expect(() => verify(secret, { ...request, body: `${request.body} ` })).toThrow()
    await expect
      .poll(() => deliveries(webhookId))
      .toMatchObject([
        {
          type: 'order.credited',
          status: 'delivered',
          attempts: 1,
          answerStatus: 204,
          fault: null,
          nextAttemptAt: null,
        },
      ])

    const tested = await act(webhookId, 'test')
    expectDone('console.webhooks.test', tested)
    expect(verify(secret, await received(2))).toMatchObject({ id: tested.body.eventId, type: 'webhook.test', data: {} })

    const rotated = await act(webhookId, 'rotate-secret')
    expectDone('console.webhooks.rotate_secret', rotated)
    const [{ deliveryId }] = (await deliveries(webhookId)).filter((d: { type: string }) => d.type === 'order.credited')
    const again = await owner.post(`${path}/${webhookId}/deliveries/${deliveryId}/redeliver`, {})
    expectDone('console.webhooks.redeliver', again)
    const repeated = await received(3)
    expect(repeated).toMatchObject({ body: request.body, headers: { 'webhook-id': request.headers['webhook-id'] } })
    // For a day, both secrets verify.
    for (const known of [secret, rotated.body.secret]) expect(verify(known, repeated)).toBeTruthy()

    const updated = await act(webhookId, 'update', { types: ['credits.low'], state: 'disabled' })
    expectDone('console.webhooks.update', updated)
    expect(updated.body).toMatchObject({ types: ['credits.low'], state: 'disabled', disabledReason: 'owner' })
    expectRefused('console.webhooks.test', await act(webhookId, 'test'), 'WEBHOOK_DISABLED')
    expectDone('console.webhooks.delete', await remove(webhookId))
    expectRefused('console.webhooks.delete', await remove(webhookId), 'WEBHOOK_NOT_FOUND')
    expect((await look(owner, 'console.webhooks.list')).items).toEqual([])
  })

  it('webhooks show why a delivery failed, and the response only in the details of the delivery', async () => {
    receiver.requests.length = 0
    receiver.respond = (response) => void response.writeHead(302, { location: '/elsewhere' }).end('private text')
    const { webhookId } = (await create()).body
    await act(webhookId, 'test')
    await received(1)
    await expect
      .poll(() => deliveries(webhookId))
      .toMatchObject([{ status: 'failed', fault: 'redirected', answerStatus: 302, answerMs: expect.any(Number) }])
    expect((await owner.get(`${path}/${webhookId}/deliveries`)).text).not.toContain('private')
    const [{ deliveryId }] = await deliveries(webhookId)
    const one = `${path}/${webhookId}/deliveries/${deliveryId}`
    const details = await look(owner, 'console.webhooks.delivery', '', one)
    expect(details.answerBody).toBe('private text')
    expect(details.body).toBe(receiver.requests[0]!.body)
    const missing = await owner.get(`${path}/${webhookId}/deliveries/dlv_0`)
    expectRefused('console.webhooks.delivery', missing, 'DELIVERY_NOT_FOUND')
    const stranger = new Browser(gateway)
    await stranger.register()
    expectRefused('console.webhooks.delivery', await stranger.get(one), 'WEBHOOK_NOT_FOUND')
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/hooks'])
    receiver.respond = responders.accepted
    await remove(webhookId)
  })

  it('webhooks refuse bad URLs and types, a stranger, and an eleventh webhook', async () => {
    const urls = [
      '',
      'x',
      'ftp://example.com/',
      'https://10.0.0.1/',
      'http://example.com/',
      'https://u:p@example.com/',
      5,
    ]
    for (const url of urls) expectRefused('console.webhooks.create', await create({ url }), 'INVALID_URL')
    const lists = [
      [],
      ['order.paid'],
      ['webhook.test'],
      ['order.credited', 'order.credited'],
      'order.credited',
      undefined,
    ]
    for (const types of lists) {
      expectRefused('console.webhooks.create', await create({ types }), 'INVALID_EVENT_TYPES')
    }
    expectRefused('console.webhooks.create', await create({ secret: 'mine' }), 'UNKNOWN_FIELDS')
    expectRefused(
      'console.webhooks.create',
      await owner.post(path, { url: 'https://example.com/', types: eventTypes }, { origin: 'http://x' }),
      'ORIGIN_INVALID',
    )
    const { webhookId } = (await create({ types: eventTypes })).body
    for (const [changes, code] of [
      [{ url: 'https://[::1%25]/' }, 'INVALID_URL'],
      [{ types: [] }, 'INVALID_EVENT_TYPES'],
      [{ state: 'paused' }, 'INVALID_STATE'],
    ] as const) {
      expectRefused('console.webhooks.update', await act(webhookId, 'update', changes), code)
    }
    const stranger = new Browser(gateway)
    await stranger.register()
    for (const [id, action] of [
      ['console.webhooks.update', 'update'],
      ['console.webhooks.delete', 'delete'],
      ['console.webhooks.rotate_secret', 'rotate-secret'],
      ['console.webhooks.test', 'test'],
    ] as const) {
      expectRefused(id, await stranger.post(`${path}/${webhookId}/${action}`, {}), 'WEBHOOK_NOT_FOUND')
    }
    expectRefused(
      'console.webhooks.deliveries',
      await stranger.get(`${path}/${webhookId}/deliveries`),
      'WEBHOOK_NOT_FOUND',
    )
    expectRefused(
      'console.webhooks.redeliver',
      await owner.post(`${path}/${webhookId}/deliveries/dlv_0/redeliver`, {}),
      'DELIVERY_NOT_FOUND',
    )
    const created = await Promise.all(Array.from({ length: 12 }, () => create()))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(9)
    for (const response of created.filter(({ status }) => status !== 201))
      expectRefused('console.webhooks.create', response, 'WEBHOOK_LIMIT_REACHED')
  })

  it('webhooks are not part of the public contract, and the log has no URL and no secret', async () => {
    expect((await gateway.send('GET', '/openapi.json')).text).not.toContain('webhooks')
    expect((await gateway.send('GET', '/console/openapi.json')).body.paths).toHaveProperty([path])
    expect(gateway.log.join('')).not.toMatch(/whsec_|\/hooks/)
  })
})
