import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/app/features.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { newPhone, password } from '../../testkit/gateway/browser.ts'
import { look, views } from '../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../testkit/gateway/media-customer.ts'
import {
  expectInOperatorContract,
  type OperatorBrowser,
  signedInOperator,
} from '../../testkit/gateway/operator-browser.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { clip, type FakeMediaProvider, startMediaProvider } from '../../testkit/providers/media-provider.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'
import { openDatabase } from '../../testkit/store/engines.ts'
import { type Receiver, startReceiver } from '../../testkit/webhooks/receiver.ts'

/** What customers and operators do most, on PostgreSQL: the other tests over HTTP run on SQLite. */
describe('a gateway on PostgreSQL', () => {
  let gateway: Gateway
  let silent: Upstream
  let provider: FakeMediaProvider
  let receiver: Receiver
  let customer: PayingCustomer
  let admin: OperatorBrowser

  beforeAll(async () => {
    ;[silent, provider, receiver] = await Promise.all([
      startUpstream(behaves.reset()),
      startMediaProvider(),
      startReceiver(),
    ])
    const uncertain = { adapter: 'openai', baseUrl: `${silent.url}/v1`, models: { fast: 'upstream-name' } }
    const file = { models: { providers: { model_provider_b: uncertain } }, ...mediaFile(provider) }
    gateway = await startGateway({ engine: 'postgres', file })
    customer = await PayingCustomer.join(gateway)
    admin = await signedInOperator(gateway, 'ada', 'admin')
  })
  afterAll(async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const { differences } = await reconcile(store)
    await store.close()
    await gateway.stop()
    await Promise.all([silent.close(), provider.close(), receiver.close()])
    expect(differences).toEqual([])
  })

  test('a gateway on PostgreSQL registers, recharges, creates a key, charges a call once and replays it', async () => {
    const before = await customer.credits()
    const first = await customer.call('model.chat', { prompt: 'hello' }, 'once')
    expect(first).toMatchObject({ status: 200, body: { status: 'settled', chargedCredits: 3 } })
    const again = await customer.call('model.chat', { prompt: 'hello' }, 'once')
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect(again.body).toEqual(first.body)
    const other = await customer.call('model.chat', { prompt: 'another' }, 'once')
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } })
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: 0 })
  })

  test('a gateway on PostgreSQL signs out and in, and revokes a key', async () => {
    const someone = await PayingCustomer.join(gateway, { amountFen: 100 })
    expect((await someone.browser.post('/v1/auth/logout', {})).status).toBe(200)
    expect((await someone.browser.get('/v1/me')).status).toBe(401)
    const { phone } = gateway.messages.at(-1)!
    expect((await someone.browser.post('/v1/auth/login', { identifier: newPhone(), password })).status).toBe(401)
    expect((await someone.browser.post('/v1/auth/login', { identifier: phone, password })).status).toBe(200)
    const [{ keyId }] = (await someone.browser.get('/v1/keys')).body.items
    expect((await someone.browser.post(`/v1/keys/${keyId}/revoke`, {})).status).toBe(200)
    expect((await someone.call('model.chat', { prompt: 'hello' })).status).toBe(401)
  })

  test('a gateway on PostgreSQL holds an uncertain call for review, and an operator decides it over HTTP', async () => {
    const before = await customer.credits()
    const request = { prompt: 'hello', provider: 'model_provider_b' }
    const held = await customer.call('model.chat', request, 'uncertain')
    expect(held).toMatchObject({ status: 202, body: { status: 'manual_review' } })
    expect(await customer.credits()).toEqual({ available: before.available - 3, reserved: 3 })
    const { chargeId } = held.body
    expect((await admin.get('/api/reviews')).body.items).toMatchObject([{ chargeId }])
    const decision = { chargeIds: [chargeId], decision: 'released', reason: 'it never arrived' }
    const decided = await admin.post('/api/reviews/decide', decision)
    expectInOperatorContract('operator.reviews.decide', decided)
    expect(decided.status).toBe(200)
    expect(await customer.credits()).toEqual(before)
    expect((await customer.call('model.chat', request, 'uncertain')).headers['idempotent-replayed']).toBe('true')
  })

  test('a gateway on PostgreSQL delivers an event to a webhook, signed', async () => {
    const types = ['order.credited']
    const created = await customer.browser.post('/v1/console/webhooks', { url: `${receiver.origin}/hooks`, types })
    expect(created.status).toBe(201)
    await customer.browser.recharge(1000)
    await expect.poll(() => receiver.requests.length).toBe(1)
    const { body, headers } = receiver.requests[0]!
    const event = new Webhook(created.body.secret).verify(body, headers as Record<string, string>)
    expect(event).toMatchObject({ type: 'order.credited', data: { credits: 100 } })
  })

  test('a gateway on PostgreSQL runs a media job, charges it and serves its clip', async () => {
    const before = await customer.credits()
    const media = mediaOf(customer)
    const { body } = await media.create('a paper boat', { seconds: 4 })
    const job = await media.becomes(body.jobId, 'completed')
    expect((await media.get(job.content!.url)).headers['content-length']).toBe(String(clip.length))
    expect(await customer.credits()).toEqual({ available: before.available - body.reservedCredits, reserved: 0 })
  })

  test('a gateway on PostgreSQL shows the customer every view of the console, and exports with a line per row', async () => {
    const isExport = ({ path }: (typeof views)[number]) => path.endsWith('.csv')
    const lists = views.filter((view) => !isExport(view))
    await eachRow(
      lists,
      ({ id }) => id,
      ({ id }) => look(customer.browser, id),
    )
    await eachRow(
      views.filter(isExport),
      ({ id }) => id,
      async ({ path }) => {
        const { status, text } = await customer.browser.get(path)
        expect({ status, lines: text.trim().split('\n').length > 2 }).toEqual({ status: 200, lines: true })
      },
    )
  })

  test("a gateway on PostgreSQL shows the operator every view of the operator's console", async () => {
    const { accountId } = (await customer.browser.get('/v1/me')).body.account
    const reads = operatorOperations.filter(
      ({ method, access, path }) => method === 'GET' && access === 'session' && !/\{(?!accountId)/.test(path),
    )
    await eachRow(
      reads,
      ({ id }) => id,
      async ({ id, path }) => {
        const response = await admin.get(path.replace('{accountId}', accountId))
        expectInOperatorContract(id, response)
        expect(response.status).toBe(200)
      },
    )
  })
})
