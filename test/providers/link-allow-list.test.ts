import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLinkAllowList, maxLinkChars } from '../../src/providers/shopping/http.ts'
import { anyChar } from '../../testkit/http/any-char.ts'

const hosts = ['item.shop-a.example', 'Other.shop-a.example', 'links.example:8443', 'plain.example:443']
const isAllowed = createLinkAllowList(hosts)

describe('a link on the list', () => {
  it.each([
    'https://item.shop-a.example/a-1001',
    'https://item.shop-a.example',
    'https://item.shop-a.example?id=1',
    'https://item.shop-a.example#top',
    'https://ITEM.Shop-A.example/A',
    'https://other.shop-a.example/x',
    'https://item.shop-a.example:443/x',
    'https://plain.example/x',
    'https://links.example:8443/x',
    'https://item.shop-a.example/%E6%9D%AF?q=a%20b&c=[]'.replace('[]', '%5B%5D'),
    'https://item.shop-a.example/@evil.example',
    'https://item.shop-a.example/?next=https://evil.example/',
  ])('%s is accepted', (link) => {
    expect(isAllowed(link)).toBe(true)
  })
})

describe('a link off the list', () => {
  it.each([
    ['another scheme', 'http://item.shop-a.example/x'],
    ['a scheme in capitals', 'HTTPS://item.shop-a.example/x'],
    ['a script', 'javascript:alert(1)//https://item.shop-a.example/'],
    ['no scheme', '//item.shop-a.example/x'],
    ['another host', 'https://evil.example/x'],
    ['a longer host', 'https://item.shop-a.example.evil.example/x'],
    ['a subdomain', 'https://x.item.shop-a.example/x'],
    ['a parent domain', 'https://shop-a.example/x'],
    ['a user name', 'https://user@item.shop-a.example/x'],
    ['an empty user name', 'https://@item.shop-a.example/x'],
    ['a host for a user name', 'https://item.shop-a.example@evil.example/x'],
    ['a host and port for a user name', 'https://item.shop-a.example:443@evil.example/x'],
    ['a dot at the end', 'https://item.shop-a.example./x'],
    ['an ideographic full stop', 'https://item.shop-a。example/x'],
    ['full-width letters', 'https://ｉｔｅｍ.shop-a.example/x'],
    ['a Cyrillic look-alike', 'https://itеm.shop-a.example/x'],
    ['a soft hyphen', 'https://item.shop-a\u00ad.example/x'],
    ['a punycode look-alike', 'https://xn--itm-ddd.shop-a.example/x'],
    ['an escape in the host', 'https://item%2eshop-a.example/x'],
    ['another port', 'https://item.shop-a.example:444/x'],
    ['an empty port', 'https://item.shop-a.example:/x'],
    ['a port with zeros', 'https://item.shop-a.example:0443/x'],
    ['the default port of a host listed with another', 'https://links.example/x'],
    ['443 for a host listed with another port', 'https://links.example:443/x'],
    ['a backslash', 'https://evil.example\\@item.shop-a.example/x'],
    ['a backslash after the host', 'https://item.shop-a.example\\x'],
    ['backslashes for slashes', 'https:\\\\item.shop-a.example/x'],
    ['three slashes', 'https:///item.shop-a.example/x'],
    ['one slash', 'https:/item.shop-a.example/x'],
    ['a leading space', ' https://item.shop-a.example/x'],
    ['a space', 'https://item.shop-a.example/a b'],
    ['a tab in the host', 'https://item.shop\t-a.example/x'],
    ['a line break', 'https://item.shop-a.example/x\nSet-Cookie: a'],
    ['a line break at the end', 'https://item.shop-a.example/x\n'],
    ['a NUL', 'https://item.shop-a.example/\0'],
    ['a letter outside ASCII', 'https://item.shop-a.example/杯'],
    ['a quote', 'https://item.shop-a.example/"onclick="'],
    ['an angle bracket', 'https://item.shop-a.example/<b>'],
    ['a broken escape', 'https://item.shop-a.example/%zz'],
    ['two fragments', 'https://item.shop-a.example/#a#b'],
    ['nothing', ''],
    ['no host', 'https://'],
  ])('a link off the list with %s is refused', (_, link) => {
    expect(isAllowed(link)).toBe(false)
  })

  it('a link off the list is refused beyond the maximum length of the contract', () => {
    const stem = 'https://item.shop-a.example/'
    expect(isAllowed(stem.padEnd(maxLinkChars, 'a'))).toBe(true)
    expect(isAllowed(stem.padEnd(maxLinkChars + 1, 'a'))).toBe(false)
  })

  it('with an empty list, every link is refused', () => {
    expect(createLinkAllowList([])('https://item.shop-a.example/x')).toBe(false)
  })
})

describe('any text at all', () => {
  const isUri = (() => {
    const ajv = new Ajv2020()
    addFormats.default(ajv)
    return ajv.compile({ type: 'string', format: 'uri', pattern: '^https://', maxLength: 2048 })
  })()
  const pieces = fc.constantFrom(
    'https://',
    'http://',
    '//',
    'item.shop-a.example',
    'links.example',
    'evil.example',
    ':443',
    ':8443',
    ':',
    '@',
    '\\',
    '/',
    '?',
    '#',
    '.',
    '。',
    '%2f',
    '%',
    '\t',
    '\n',
    ' ',
    'a',
    '[',
    ']',
  )
  const links = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 6 }).map((parts) => `https://item.shop-a.example${parts.join('')}`),
    fc.string({ unit: anyChar }).map((text) => `https://item.shop-a.example/${text}`),
    fc.webUrl(),
    fc.string(),
  )
  const allowedHosts = new Set(['item.shop-a.example', 'other.shop-a.example', 'links.example:8443', 'plain.example'])

  it('any text at all is accepted only if a browser would open a listed host over https without a user name, and the contract allows it', () => {
    fc.assert(
      fc.property(links, (link) => {
        if (!isAllowed(link)) return
        const { protocol, host, username, password } = new URL(link)
        expect({ protocol, username, password }).toEqual({ protocol: 'https:', username: '', password: '' })
        expect(allowedHosts).toContain(host)
        expect(isUri(link)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })
})
