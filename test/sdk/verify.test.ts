import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyReceipt } from '../../sdk/src/index.ts'
import { canonical } from '../../sdk/src/signed.ts'
import { signCheckpoint } from '../../src/features/records/transparency/note.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwks = {
  keys: [{ ...(publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string }), kid: 'k' }],
}

function receiptOf(state: string, kinds: readonly string[], more: object = {}): string {
  const of = { projectId: 'prj_1', chargeId: 'chg_1' }
  const entries = kinds.map((kind, seq) => ({
    entry: { ...of, kind, seq, amount: 3 },
    salt: '',
    index: null,
    proof: null,
  }))
  const body = {
    ...of,
    type: 'charge',
    credits: 3,
    state,
    status: 'pending',
    issuedAt: '2026-09-03T00:00:00.000Z',
    entries,
    ...more,
  }
  const input = [{ alg: 'EdDSA', kid: 'k', typ: 'receipt+jws' }, body]
    .map((part) => Buffer.from(canonical(part)).toString('base64url'))
    .join('.')
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
}

test('the state of a receipt is compared with the kinds of its entries', async () => {
  const judged = async (state: string, kinds: readonly string[]) =>
    (await verifyReceipt(receiptOf(state, kinds), { jwks })).steps.find(({ name }) => name === 'inclusion')!.detail
  expect(await judged('settled', ['reserve', 'settle'])).toContain('Pending')
  expect(await judged('settled', ['reserve', 'review', 'settle'])).toContain('Pending')
  expect(await judged('released', ['reserve', 'settle'])).toBe(
    'The state released is not what the entries (reserve, settle) say.',
  )
})

test('the payment of an order is what its credits cost; an older receipt that states only the order says so', async () => {
  const judged = async (facts: object, state = 'credited') => {
    const receipt = receiptOf(state, [], { type: 'order', orderId: 'ord_1', credits: 510, amountFen: 5000, ...facts })
    const { ok, detail } = (await verifyReceipt(receipt, { jwks })).steps.find(({ name }) => name === 'payment') ?? {}
    return [ok, detail]
  }
  const same = '51.00 yuan was paid for the order of 50.00 yuan, and buys its 510 credits.'
  expect(await judged({ paidFen: 5100 })).toEqual([true, same])
  expect(await judged({})).toEqual([
    true,
    'The receipt is older and states only the order, 50.00 yuan, but its 510 credits were bought with 51.00 yuan. Request it again for one that says so.',
  ])
  expect(await judged({ credits: 500 })).toEqual([
    true,
    '50.00 yuan was paid for the order of 50.00 yuan, and buys its 500 credits.',
  ])
  expect(await judged({ paidFen: 5000 })).toEqual([
    false,
    'The receipt states 50.00 yuan and 510 credits, which cost 51.00 yuan.',
  ])
  expect(await judged({ paidFen: null })).toEqual([false, expect.stringContaining('states 0.00 yuan')])
  expect(await judged({ paidFen: null, credits: 0 }, 'pending')).toEqual([undefined, undefined])
})

test('the logs of two checkpoints are compared before their sizes', async () => {
  const signer = { publicKey: Buffer.from(jwks.keys[0]!.x, 'base64url'), privateKey }
  const checkpoint = (origin: string, size: number) =>
    signCheckpoint({ origin: `${origin}.example/transparency`, size, root: Buffer.alloc(32) }, [signer])
  const second = signCheckpoint({ origin: 'gate.example/transparency/2', size: 5, root: Buffer.alloc(32) }, [signer])
  const third = second.replaceAll('/transparency/2', '/transparency/3')
  const document = receiptOf('settled', ['reserve', 'settle'], { issuer: 'https://gate.example', checkpoint: second })
  const detailOf = async (since: string) => (await verifyReceipt(document, { jwks, since })).steps.at(-1)!.detail
  for (const size of [3, 9]) expect(await detailOf(checkpoint('gate', size))).toMatch(/^A fork: /)
  expect(await detailOf(checkpoint('other', 9))).toContain('another gateway')
  expect(await detailOf(third)).toContain('None of the given keys')
  const newer = signCheckpoint({ origin: 'gate.example/transparency/3', size: 9, root: Buffer.alloc(32) }, [signer])
  expect(await detailOf(newer)).toContain('from before the fork')
})
