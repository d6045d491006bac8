import type { LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { shareLookups } from '../../src/providers/http/shared-lookup.ts'

type Callback = Parameters<LookupFunction>[2]

const all = [{ address: '192.0.2.1', family: 4 }]

test('connections that ask for a name at the same time share one lookup', () => {
  const asked: [string, Callback][] = []
  const lookup = shareLookups((hostname, _, callback) => void asked.push([hostname, callback]))
  const found: unknown[][] = []
  const ask = (hostname: string, options = { all: true }) =>
    lookup(hostname, options, (...results) => found.push(results))
  // What the polls of one provider ask while its name servers are silent.
  for (let poll = 0; poll < 32; poll += 1) ask('gone.example')
  ask('other.example')
  ask('gone.example', { all: false })
  expect(asked.map(([hostname]) => hostname)).toEqual(['gone.example', 'other.example', 'gone.example'])
  asked[0]![1](null, all)
  expect(found).toEqual(Array.from({ length: 32 }, () => [null, all]))
})

test('a lookup that failed is tried again by the next connection', () => {
  const asked: Callback[] = []
  const lookup = shareLookups((_, __, callback) => void asked.push(callback))
  const found: unknown[][] = []
  for (const answer of [new Error('ENOTFOUND'), null]) {
    lookup('gone.example', { all: true }, (...results) => found.push(results))
    asked.at(-1)!(answer, all)
  }
  expect(asked).toHaveLength(2)
  expect(found.map(([error]) => error)).toEqual([new Error('ENOTFOUND'), null])
})
