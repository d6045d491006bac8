import { describe, expect, test } from 'vitest'
import { isPublicAddress, mayConnect, parseTarget } from '../../../../src/features/notifications/webhooks/target.ts'
import { eachRow } from '../../../../testkit/each-row.ts'

const onPublicOrigin = { allowsLoopback: false }
const onLoopbackOrigin = { allowsLoopback: true }

const allowed = [
  'https://example.com/hooks?x=1',
  'https://EXAMPLE.com:443/',
  'https://example.com:8443/hooks',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://例子.测试/钩子',
]

const onlyOnLoopback = [
  'http://example.com:8080/',
  'http://localhost:9000/hooks',
  'https://localhost/',
  'http://hooks.localhost:9000/',
  'http://127.0.0.1:9000/',
  'http://127.9.9.9:9000/',
  'http://[::1]:9000/',
  // Other ways to write 127.0.0.1.
  'http://2130706433:9000/',
  'http://0177.0.0.1:9000/',
  'http://0x7f000001:9000/',
  'http://127.1:9000/',
]

const refused = [
  '',
  'example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  // Credentials and fragments, empty ones too.
  'https://user:password@example.com/',
  'https://user@example.com/',
  'https://@example.com/',
  'https:user@example.com/',
  'https://example.com/#',
  'https://example.com/hooks#part',
  // Ports.
  'https://example.com:22/',
  'https://example.com:1023/',
  'https://example.com:80/',
  'https://example.com:0/',
  'http://localhost/',
  // What browsers repair.
  ' https://example.com/',
  'https://example.com/a b',
  'https:\\\\example.com/',
  'https://exam\tple.com/',
  // Names of a private network.
  'https://intranet/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  // Private, link-local, metadata, multicast and reserved IPv4 addresses, in every form.
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://0.0.0.0/',
  'https://0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://167772161/',
  'https://0xa000001/',
  'https://012.0.0.1/',
  'https://2852039166/',
  'https://0xA9.0xFE.0xA9.0xFE/',
  'https://0251.0376.0251.0376/',
  'https://１０.0.0.1/',
  // The same in IPv6.
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:93.184.215.14]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  `https://example.com/${'x'.repeat(2048)}`,
]

describe('the URL of a webhook', () => {
  test('the URL of a webhook may be a public one', () =>
    eachRow(allowed, String, (url) => {
      expect(parseTarget(url, onPublicOrigin)?.href).toBe(new URL(url).href)
      expect(parseTarget(url, onLoopbackOrigin)).not.toBeNull()
    }))

  test('the URL of a webhook may be without TLS or of this machine only where the gateway itself is local', () =>
    eachRow(onlyOnLoopback, String, (url) => {
      expect(parseTarget(url, onPublicOrigin)).toBeNull()
      expect(parseTarget(url, onLoopbackOrigin)).not.toBeNull()
    }))

  test('the URL of a webhook may not be of a private network, nor written in an odd way', () =>
    eachRow(refused, String, (url) => {
      expect(parseTarget(url, onPublicOrigin)).toBeNull()
      expect(parseTarget(url, onLoopbackOrigin)).toBeNull()
    }))
})

test('an address is public unless it is reserved for something else, also at the edges of a range', () => {
  const publicAddresses = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0']
  const morePublic = ['192.0.1.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2600::1', '2a00:1450::1']
  for (const address of [...publicAddresses, ...morePublic]) expect(isPublicAddress(address), address).toBe(true)
  const special = ['10.255.255.255', '100.64.0.0', '100.127.255.255', '172.31.255.255', '192.0.0.1', '198.19.255.255']
  const moreSpecial = [
    '240.0.0.1',
    '192.88.99.1',
    '1fff::1',
    '4000::1',
    '2001:1ff::1',
    '3fff::1',
    'fe80::1%eth0',
    'x',
    '',
  ]
  for (const address of [...special, ...moreSpecial]) expect(isPublicAddress(address), address).toBe(false)
})

test('a loopback origin opens the way to this machine and to no other', () => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1']) expect(mayConnect(address, onLoopbackOrigin)).toBe(true)
  for (const address of ['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1', '0.0.0.0', '::'])
    expect(mayConnect(address, onLoopbackOrigin), address).toBe(false)
})
