import { expect, test } from 'vitest'
import { checkDocument } from '../../console/site/verify/history.ts'
import { sample } from '../../console/site/verify/sample.ts'

const noTiles = async () => null
const check = (seen: readonly string[], jws = sample.jws) =>
  checkDocument(jws, { jwks: sample.jwks, tiles: noTiles, seen })
const own = JSON.parse(Buffer.from(sample.jws.split('.')[1]!, 'base64url').toString()).checkpoint as string

test('the sample receipt passes every check, its history against its older checkpoint', async () => {
  const { ok, steps, isFirst } = await check([sample.since])
  expect({ ok, isFirst }).toEqual({ ok: true, isFirst: false })
  expect(steps.map(({ name }) => name)).toEqual([
    ...['signature', 'canonical', 'inclusion', 'checkpoint', 'consistency'],
  ])
})

test('one letter of a receipt changed fails its signature', async () => {
  const [head, body, signature] = sample.jws.split('.')
  const forged = Buffer.from(body!, 'base64url').toString().replace('"credits":3', '"credits":2')
  const { ok, steps } = await check([], [head, Buffer.from(forged).toString('base64url'), signature].join('.'))
  expect(ok).toBe(false)
  expect(steps[0]).toMatchObject({ name: 'signature', ok: false })
})

test.each([
  ['no checkpoint was seen', []],
  ['only the one of the receipt was seen', [own]],
])('nothing is said about the history while %s', async (_, seen) => {
  const { ok, steps, isFirst } = await check(seen)
  expect({ ok, isFirst }).toEqual({ ok: true, isFirst: true })
  expect(steps.map(({ name }) => name)).not.toContain('consistency')
})

test('a checkpoint of the same size with another root is a rewritten history', async () => {
  const [origin, size, root, ...rest] = own.split('\n')
  const other = [origin, size, `A${root!.slice(1)}`, ...rest].join('\n')
  const { ok, steps } = await check([other])
  expect(ok).toBe(false)
  expect(steps.at(-1)).toMatchObject({ name: 'consistency', ok: false })
})
