import { describe, expect, test } from 'vitest'
import { parseNetworks } from '../../src/config/networks.ts'
import { findPeer, findRequester, forwardedForOf, maxForwardedHops } from '../../src/http/requester.ts'

const trusted = parseNetworks('10.0.0.0/8, 192.0.2.7, fd00::/8, 2001:db8:ffff::1', (entry) => new Error(entry))
const from = (peer: string, ...forwardedFor: string[]) =>
  findRequester(findPeer(peer, trusted), forwardedFor, trusted).address
const proxy = '10.0.0.1'

describe('the requester', () => {
  test('the requester is the peer if the peer is not trusted, whatever it sends', () => {
    for (const forwarded of [[], ['203.0.113.9'], ['203.0.113.9, 10.0.0.1'], ['nonsense']])
      expect(from('198.51.100.4', ...forwarded)).toBe('198.51.100.4')
    expect(from('192.0.2.8', '203.0.113.9')).toBe('192.0.2.8')
  })

  test('the requester is the rightmost address that is not trusted itself', () => {
    expect(from(proxy, '203.0.113.9')).toBe('203.0.113.9')
    expect(from(proxy, '1.1.1.1, 203.0.113.9')).toBe('203.0.113.9')
    expect(from(proxy, '1.1.1.1, 203.0.113.9, 10.9.9.9, 192.0.2.7')).toBe('203.0.113.9')
    expect(from('fd00::5', '203.0.113.9,2001:db8:ffff::1')).toBe('203.0.113.9')
    expect(from(proxy, '\t203.0.113.9 ,  10.0.0.2 ')).toBe('203.0.113.9')
  })

  test('the requester cannot be chosen by what the client sent before the first trusted proxy', () => {
    expect(from(proxy, 'nonsense, 10.0.0.3, 203.0.113.9')).toBe('203.0.113.9')
    expect(from(proxy, `${'1.1.1.1, '.repeat(500)}203.0.113.9`)).toBe('203.0.113.9')
  })

  test('the requester is the leftmost address if all are trusted, and the peer if none is named', () => {
    expect(from(proxy, '10.0.0.9, 10.0.0.8')).toBe('10.0.0.9')
    expect(from(proxy)).toBe(proxy)
    expect(from(proxy, '')).toBe(proxy)
  })

  test.each([
    'nonsense',
    'unknown',
    '203.0.113.9,',
    '203.0.113.9, , 10.0.0.2',
    '203.0.113.9:4711',
    '[2001:db8::1]',
    '203.0.113.256',
    '203.0.113.09',
    'fe80::1%eth0',
    '203.0.113.9, nonsense',
    '203.0.113.9; 10.0.0.2',
    '"203.0.113.9"',
  ])('the requester is the peer if the list is malformed: %s', (list) => {
    expect(from(proxy, list)).toBe(proxy)
  })

  test('the requester is the peer if the chain of trusted proxies is longer than the limit', () => {
    const chain = (length: number) => ['203.0.113.9', ...Array<string>(length - 1).fill('10.0.0.2')].join(', ')
    expect(from(proxy, chain(maxForwardedHops))).toBe('203.0.113.9')
    expect(from(proxy, chain(maxForwardedHops + 1))).toBe(proxy)
  })

  test('an IPv4-mapped address counts as IPv4, as peer and in the list', () => {
    expect(from('::ffff:198.51.100.4')).toBe('198.51.100.4')
    expect(from('::ffff:10.0.0.1', '203.0.113.9, ::ffff:10.0.0.2')).toBe('203.0.113.9')
    expect(from(proxy, '::FFFF:cb00:7109')).toBe('203.0.113.9')
    expect(from(proxy, '0:0:0:0:0:ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('%s counts as %s', (address, network) => {
    expect(findPeer(address, trusted).requester.network).toBe(network)
  })

  test('a socket without an address is not trusted', () => {
    expect(findPeer(undefined, trusted)).toEqual({ requester: { address: '', network: '' }, isTrusted: false })
  })
})

test('several X-Forwarded-For headers are one list, in their order', () => {
  const headers = [
    'Host',
    'a',
    'X-Forwarded-For',
    '1.1.1.1',
    'x-forwarded-for',
    '203.0.113.9',
    'X-FORWARDED-FOR',
    proxy,
  ]
  expect(forwardedForOf(headers)).toEqual(['1.1.1.1', '203.0.113.9', proxy])
  expect(from(proxy, ...forwardedForOf(headers))).toBe('203.0.113.9')
})
