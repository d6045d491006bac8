import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyReceipt } from '../../sdk/src/index.ts'
import { canonical } from '../../sdk/src/signed.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwks = {
  keys: [{ ...(publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string }), kid: 'k' }],
}

function receiptOf(state: string, kinds: readonly string[]): string {
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
