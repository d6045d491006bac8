import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedKinds } from '../../../../src/app/features.ts'
import { createKeyring } from '../../../../src/base/keyring.ts'
import { createContentLog } from '../../../../src/features/calls/content-log/content-log.ts'
import { maxContentBytes } from '../../../../src/features/calls/content-log/contract.ts'
import { rotateSecret } from '../../../../src/ops/secrets.ts'
import { leftBehind } from '../../../../src/storage/transfer/catalog.ts'
import { Browser } from '../../../../testkit/gateway/browser.ts'
import { expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock, testSecret } from '../../../../testkit/gateway/gateway.ts'
import { engines, openDatabase, type Store } from '../../../../testkit/store/engines.ts'

interface HeldKey {
  readonly keyId: string
  readonly apiKey: string
}

const secretWord = 'zucchini-4711'

describe.each(engines)('requests and responses on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  let owner: Browser
  let store: Store
  let intents = 0

  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: {
        sessions: { lifetimeSeconds: 31_536_000 },
        models: {
          providers: {
            model_provider_a: { adapter: 'local', models: ['local-small'], maxPromptChars: 32_000 },
            model_provider_b: { adapter: 'disabled' },
          },
        },
        limits: { sendCodePerRequester: { max: 1000, windowSeconds: 600 } },
      },
    })
    owner = await join()
    store = await openDatabase(gateway.database, { exclusive: false })
  })
  afterAll(async () => {
    await store.close()
    await gateway.stop()
  })

  async function join(): Promise<Browser> {
    const browser = new Browser(gateway)
    await browser.register()
    await browser.recharge(10_000)
    return browser
  }
  async function create(settings: object = {}): Promise<HeldKey> {
    const body = { name: 'A key', scopes: ['models:invoke', 'shopping:search'], ...settings }
    return (await owner.post('/v1/console/keys', body, { 'idempotency-key': `key ${++intents}` })).body
  }
  const chat = ({ apiKey }: HeldKey, body: object) =>
    gateway.call(apiKey, '/v1/models/chat', `intent ${++intents}`, body)
  const chargeOf = (response: { headers: Record<string, unknown> }) => String(response.headers['x-charge-id'])
  const pathOf = (chargeId: string) => `/v1/console/usage/${chargeId}/content`
  const contentOf = (chargeId: string, browser = owner) => browser.get(pathOf(chargeId))
  const rows = () =>
    store.read((tx) => tx.all<{ charge_id: string; sealed: string }>('SELECT charge_id, sealed FROM charge_contents'))

  test('requests and responses are not kept unless the key asks for it', async () => {
    const key = await create()
    const response = await chat(key, { prompt: secretWord })
    expect(response.status).toBe(200)
    expect(await rows()).toEqual([])
    expectRefused('console.usage.content', await contentOf(chargeOf(response)), 'NOT_FOUND')
    const receipt = await look(owner, 'console.usage.read', '', `/v1/console/usage/${chargeOf(response)}`)
    expect(receipt).toMatchObject({ hasContent: false, model: expect.stringContaining('/'), latencyMs: 0 })
  })

  test('requests and responses are kept sealed from the moment that the key asks for it, and no longer than it does', async () => {
    const key = await create()
    const update = (logsContent: boolean) => owner.post(`/v1/console/keys/${key.keyId}/update`, { logsContent })
    expect((await update(true)).body).toMatchObject({ logsContent: true })
    const response = await chat(key, { prompt: secretWord })
    const chargeId = chargeOf(response)
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row!.charge_id).toBe(chargeId)
    const bytes = Buffer.from(row!.sealed, 'base64url')
    expect(`${row!.sealed} ${bytes.toString('latin1')}`).not.toContain(secretWord)
    const content = await look(owner, 'console.usage.content', '', pathOf(chargeId))
    expect(JSON.parse(content.request.text)).toEqual({ prompt: secretWord })
    expect(content).toMatchObject({ status: 200, response: { text: response.text, isCut: false } })
    expect(await look(owner, 'console.usage.read', '', `/v1/console/usage/${chargeId}`)).toMatchObject({
      hasContent: true,
    })
    // A replay is the same call.
    expect((await update(false)).body).toMatchObject({ logsContent: false })
    await chat(key, { prompt: secretWord })
    expect(await rows()).toHaveLength(1)
  })

  test('requests and responses of a failed call are kept too, and rotating a key keeps its choice', async () => {
    const first = await create({ logsContent: true })
    const path = `/v1/console/keys/${first.keyId}/rotate`
    const next = (await owner.post(path, { graceSeconds: 0 }, { 'idempotency-key': `rotate ${++intents}` })).body
    expect(next).toMatchObject({ logsContent: true })
    const response = await chat(next, { prompt: secretWord, provider: 'model_provider_b' })
    expect(response.body.error.code).toBe('PROVIDER_DISABLED')
    const content = await look(owner, 'console.usage.content', '', pathOf(chargeOf(response)))
    expect(content).toMatchObject({ status: response.status, response: { text: response.text } })
    expect(content.request.text).toContain(secretWord)
  })

  test('requests and responses are cut at a whole character where they are too long', async () => {
    const key = await create({ logsContent: true })
    const prompt = `${secretWord} ${'长'.repeat(maxContentBytes / 3)}`
    const response = await chat(key, { prompt })
    const content = await look(owner, 'console.usage.content', '', pathOf(chargeOf(response)))
    expect(content.request).toMatchObject({ isCut: true, bytes: Buffer.byteLength(JSON.stringify({ prompt })) })
    expect(Buffer.byteLength(content.request.text)).toBeLessThanOrEqual(maxContentBytes)
    expect(content.request.text).toMatch(/长$/)
  })

  test('requests and responses are for the payer alone: another project gets 404, and no file, event or archive has them', async () => {
    const key = await create({ logsContent: true })
    const chargeId = chargeOf(await chat(key, { prompt: secretWord }))
    expectRefused('console.usage.content', await contentOf(chargeId, await join()), 'NOT_FOUND')
    expectRefused('console.usage.content', await contentOf('chg_0VVm8xQ2001aK4tRw9Zb'), 'NOT_FOUND')
    const own = await gateway.send('GET', pathOf(chargeId), { authorization: `Bearer ${key.apiKey}` })
    expect(own.status).toBe(401)
    for (const path of ['usage.csv', 'ledger.csv', 'events']) {
      expect((await owner.get(`/v1/console/${path}`)).text).not.toContain(secretWord)
    }
    expect(leftBehind.has('charge_contents')).toBe(true)
  })

  test('requests and responses stay readable after the secret was rotated, and are unreadable without it', async () => {
    const key = await create({ logsContent: true })
    const chargeId = chargeOf(await chat(key, { prompt: secretWord }))
    const { projectId } = (await owner.get('/v1/me')).body.project
    const next = 'the next secret of the tests, 32 bytes or more'
    const both = createKeyring(next, [testSecret])
    const read = (secret: string) =>
      createContentLog({ engine: store, keyring: createKeyring(secret), clock: clock.read }).find(projectId, chargeId)
    expect(await read(next)).toBeUndefined()
    const { rotated, unusable } = await rotateSecret(store, both, sealedKinds(both))
    expect(unusable).toBe(0)
    expect(rotated.callContents).toBeGreaterThan(0)
    expect((await read(next))?.request.text).toContain(secretWord)
    expect(await read(testSecret)).toBeUndefined()
    const back = createKeyring(testSecret, [next])
    await rotateSecret(store, back, sealedKinds(back))
  })

  test('requests and responses are gone after 7 days', async () => {
    const key = await create({ logsContent: true })
    const chargeId = chargeOf(await chat(key, { prompt: secretWord }))
    const before = (await rows()).length
    clock.advanceSeconds(7 * 86_400 - 1)
    const contents = createContentLog({ engine: store, keyring: createKeyring(testSecret), clock: clock.read })
    const { keptUntil } = await look(owner, 'console.usage.content', '', pathOf(chargeId))
    expect(Date.parse(keptUntil)).toBe(clock.now + 1000)
    const later = chargeOf(await chat(key, { prompt: 'later' }))
    clock.advanceSeconds(1)
    // Before the task has run.
    expectRefused('console.usage.content', await contentOf(chargeId), 'NOT_FOUND')
    expect(await contents.prune(1000)).toBe(before)
    expect((await rows()).map(({ charge_id }) => charge_id)).toEqual([later])
  })
})
