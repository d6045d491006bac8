import type { ErrorCode } from '../../src/contract/errors.ts'
import { host } from './fixture.ts'

export interface Fault {
  readonly name: string
  /** Sent as latin1. */
  readonly bytes: string
  readonly code: ErrorCode
  /**
   * Found by Node's parser, not by our checks: behind a request that is being handled it gets no response,
   * because that request's response already closes the connection.
   */
  readonly byParser: boolean
}

const hostLine = `Host: ${host}`
const limit = 65_536

/** A valid request except for the given changes. */
const request = ({
  method = 'GET',
  target = '/v1/ping',
  version = 'HTTP/1.1',
  lines = [hostLine] as readonly string[],
  body = '',
} = {}) => `${method} ${target} ${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`

const posted = (...lines: string[]) => request({ method: 'POST', target: '/v1/echo', lines: [hostLine, ...lines] })
const got = (...lines: string[]) => request({ lines: [hostLine, ...lines] })

const rows =
  (code: ErrorCode, { byParser = false } = {}) =>
  (cases: Readonly<Record<string, string>>): Fault[] =>
    Object.entries(cases).map(([name, bytes]) => ({ name, bytes, code, byParser }))
const inParser = { byParser: true }

const contentLength: Fault[] = [
  ...rows(
    'CONTENT_LENGTH_INVALID',
    inParser,
  )({
    'Content-Length twice': posted('Content-Length: 2', 'Content-Length: 2'),
    'Content-Length twice, different': posted('Content-Length: 2', 'content-length: 3'),
    'Content-Length +5': posted('Content-Length: +5'),
    'Content-Length -5': posted('Content-Length: -5'),
    'Content-Length 0x5': posted('Content-Length: 0x5'),
    'Content-Length 5.0': posted('Content-Length: 5.0'),
    'Content-Length as a list': posted('Content-Length: 5, 5'),
    'Content-Length 5 5': posted('Content-Length: 5 5'),
    'Content-Length empty': posted('Content-Length:'),
    'Content-Length of 30 digits': posted(`Content-Length: ${'1'.repeat(30)}`),
    'Content-Length of letters': posted('Content-Length: five'),
    'Content-Length twice on GET': got('Content-Length: 0', 'Content-Length: 0'),
  }),
  ...rows('CONTENT_LENGTH_INVALID')({
    'Content-Length with leading zeros': posted('Content-Length: 005'),
    'Content-Length 00': posted('Content-Length: 00'),
    'Content-Length of 17 digits': posted('Content-Length: 10000000000000000'),
    'Content-Length 2^64-1': posted('Content-Length: 18446744073709551615'),
    'POST without Content-Length': posted(),
    'GET with a body': `${got('Content-Length: 2')}{}`,
    'leading zeros on DELETE': request({ method: 'DELETE', lines: [hostLine, 'Content-Length: 01'] }),
    'POST without Content-Length on an unknown path': request({ method: 'POST', target: '/nowhere' }),
  }),
  ...rows('PAYLOAD_TOO_LARGE')({
    'one byte over the limit': posted(`Content-Length: ${limit + 1}`),
    'Content-Length 2^53+1': posted('Content-Length: 9007199254740993'),
    'Content-Length of 16 nines': posted('Content-Length: 9999999999999999'),
    'over the limit on an unknown path': request({
      method: 'POST',
      target: '/nowhere',
      lines: [hostLine, 'Content-Length: 70000'],
    }),
  }),
]

const transferEncoding: Fault[] = [
  ...rows('TRANSFER_ENCODING_UNSUPPORTED')({
    'Transfer-Encoding chunked': `${posted('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
    'Transfer-Encoding in odd case': `${posted('tRANSFER-eNCODING: CHUNKED')}0\r\n\r\n`,
    'Transfer-Encoding gzip, chunked': `${posted('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    'Transfer-Encoding identity': posted('Transfer-Encoding: identity'),
    'Transfer-Encoding with a broken chunk': `${posted('Transfer-Encoding: chunked')}zz\r\n`,
    'Transfer-Encoding on GET': `${got('Transfer-Encoding: chunked')}0\r\n\r\n`,
    'Transfer-Encoding on an unknown path': request({ target: '/x', lines: [hostLine, 'Transfer-Encoding: chunked'] }),
    'Transfer-Encoding in HTTP/1.0': request({ version: 'HTTP/1.0', lines: [hostLine, 'Transfer-Encoding: chunked'] }),
  }),
  ...rows(
    'TRANSFER_ENCODING_UNSUPPORTED',
    inParser,
  )({
    'Transfer-Encoding empty': posted('Transfer-Encoding:'),
    'Transfer-Encoding chunked, gzip': posted('Transfer-Encoding: chunked, gzip'),
    'Transfer-Encoding twice': posted('Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'),
    'Transfer-Encoding, then Content-Length': posted('Transfer-Encoding: chunked', 'Content-Length: 5'),
    'Content-Length, then Transfer-Encoding': posted('Content-Length: 5', 'Transfer-Encoding: chunked'),
    'a bad Content-Length, then Transfer-Encoding': posted('Content-Length: x', 'Transfer-Encoding: chunked'),
    'Content-Length twice, then Transfer-Encoding': posted(
      'Content-Length: 2',
      'Content-Length: 2',
      'Transfer-Encoding: chunked',
    ),
  }),
]

const target = (text: string) => request({ target: text })

const targets: Fault[] = [
  ...rows('REQUEST_TARGET_INVALID')({
    'absolute-form': target(`http://${host}/v1/ping`),
    'absolute-form of another host': target('http://other.test/v1/ping'),
    asterisk: target('*'),
    'asterisk with OPTIONS': request({ method: 'OPTIONS', target: '*' }),
    'two leading slashes': target('//v1/ping'),
    'network path': target('//other.test/v1/ping'),
    backslash: target('/v1\\ping'),
    'leading backslash': target('/\\other.test'),
    'backslash in the query': target('/v1/ping?a\\b'),
    'encoded slash': target('/v1%2fping'),
    'encoded slash, upper case': target('/v1%2Fping'),
    'encoded backslash': target('/v1%5cping'),
    'encoded question mark': target('/v1/ping%3fa'),
    'encoded hash': target('/v1/ping%23a'),
    'encoded NUL': target('/v1/ping%00'),
    'encoded line feed': target('/v1/ping%0a'),
    'encoded DEL': target('/v1/ping%7f'),
    'dot dot': target('/v1/../v1/ping'),
    'dot dot at the end': target('/v1/..'),
    'single dot': target('/v1/./ping'),
    'encoded dot dot': target('/v1/%2e%2e/v1/ping'),
    'half-encoded dot dot': target('/v1/.%2E/v1/ping'),
    'dot dot with a path parameter': target('/v1/..;x/ping'),
    hash: target('/v1/ping#a'),
    'bad escape': target('/v1/%zz'),
    'escape cut short': target('/v1/ping%2'),
    'escaped bytes that are no UTF-8': target('/v1/%ff'),
    'overlong encoding of a slash': target('/v1%c0%afping'),
    'bad target on an unknown path with a body': request({
      method: 'POST',
      target: '/a%2fb',
      lines: [hostLine, 'Content-Length: 99999'],
    }),
  }),
  ...rows(
    'REQUEST_TARGET_INVALID',
    inParser,
  )({
    'bytes over 0x7f': target('/v1/\xe9'),
    'no leading slash': target('v1/ping'),
    'authority-form': target(host),
    'control character': target('/v1/\x01ping'),
    'tab in the target': target('/v1/\tping'),
    'NUL in the target': target('/v1/\0ping'),
    'DEL in the target': target('/v1/\x7fping'),
    'space in the target': target('/v1/pi ng'),
    'empty target': target(''),
  }),
]

const hosted = (...lines: string[]) => request({ lines })

const hosts: Fault[] = [
  ...rows('HOST_NOT_ALLOWED')({
    'Host missing': hosted(),
    'Host empty': hosted('Host:'),
    'another Host': hosted('Host: other.test'),
    'Host twice, the same': hosted(hostLine, hostLine),
    'Host twice, the right one first': hosted(hostLine, 'Host: other.test'),
    'Host twice, the right one last': hosted('Host: other.test', hostLine),
    'Host as a list': hosted(`${hostLine}, ${host}`),
    'Host with a path': hosted(`${hostLine}/v1`),
    'Host with userinfo': hosted(`Host: user@${host}`),
    'Host with another port': hosted('Host: gateway.test:8788'),
    'Host without the port': hosted('Host: gateway.test'),
    'Host with a trailing dot': hosted('Host: gateway.test.:8787'),
    'Host in upper case': hosted('Host: GATEWAY.TEST:8787'),
    'Host as an origin': hosted(`Host: http://${host}`),
    'Host with a byte over 0x7f': hosted(`${hostLine}\xff`),
    'X-Forwarded-Host does not count': hosted('Host: other.test', `X-Forwarded-Host: ${host}`),
    'wrong Host before a bad target': request({ target: '/a%2fb', lines: ['Host: other.test'] }),
    'wrong Host before framing': request({
      method: 'POST',
      lines: ['Host: other.test', 'Transfer-Encoding: chunked', 'Expect: what'],
    }),
    'wrong Host before the version': request({ version: 'HTTP/1.0', lines: ['Host: other.test'] }),
    'wrong Host before 413': request({ method: 'POST', lines: ['Host: other.test', 'Content-Length: 99999'] }),
    'wrong Host with CONNECT': request({ method: 'CONNECT', target: 'a:443', lines: ['Host: other.test'] }),
  }),
  ...rows(
    'HOST_NOT_ALLOWED',
    inParser,
  )({
    'wrong Host before Content-Length twice': request({
      method: 'POST',
      lines: ['Host: other.test', 'Content-Length: 2', 'Content-Length: 2'],
    }),
    'wrong Host behind Content-Length twice': request({
      method: 'POST',
      lines: ['Content-Length: 2', 'Content-Length: 2', 'Host: other.test'],
    }),
    'no Host and a target with bytes over 0x7f': request({ target: '/\xe9', lines: [] }),
  }),
]

const headers: Fault[] = [
  ...rows('REQUEST_HEADERS_INVALID')({
    'header byte 0xff': got('X-Name: \xff'),
    'header byte 0x80': got('X-Name: a\x80b'),
    'other Expect': posted('Content-Length: 2', 'Expect: 200-ok'),
    'Expect with more than 100-continue': posted('Content-Length: 2', 'Expect: 100-continue, more'),
    'Expect twice': posted('Content-Length: 2', 'Expect: 100-continue', 'Expect: 100-continue'),
    'other Expect on GET': got('Expect: 200-ok'),
  }),
  ...rows(
    'REQUEST_HEADERS_INVALID',
    inParser,
  )({
    'control character in a header': got('X-Name: a\x01b'),
    'NUL in a header': got('X-Name: a\0b'),
    'DEL in a header': got('X-Name: a\x7fb'),
    'folded header': got('X-Name: a', ' b'),
    'header that begins with a space': request({ lines: [' X-Name: a', hostLine] }),
    'space in a header name': got('X Name: a'),
    'space before the colon': got('X-Name : a'),
    'header without a colon': got('X-Name'),
    'header without a name': got(': a'),
    'byte over 0x7f in a header name': got('X-N\xe4me: a'),
    'space before the colon of Content-Length': posted('Content-Length : 2'),
    'bare LF between headers': got('X-Name: a\nX-Other: b'),
    'bare CR in a header': got('X-Name: a\rb'),
    'bare LF after the request line': `GET /v1/ping HTTP/1.1\n${hostLine}\r\n\r\n`,
    'unknown method': request({ method: 'FETCH' }),
    'method in lower case': request({ method: 'get' }),
    'space before the method': ` ${got()}`,
    'TLS bytes': '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
    'another protocol': request({ version: 'HTTX/1.1' }),
    'protocol in lower case': request({ version: 'http/1.1' }),
    'bytes behind the version': request({ version: 'HTTP/1.1x' }),
    garbage: '@@@@@@\r\n\r\n',
  }),
  ...rows('REQUEST_HEADERS_TOO_LARGE')({
    'more than 100 header lines': got(...Array.from({ length: 100 }, (_, i) => `X-${i}: a`)),
    '900 short header lines': got(...Array.from({ length: 900 }, () => 'a:b')),
  }),
  ...rows(
    'REQUEST_HEADERS_TOO_LARGE',
    inParser,
  )({
    'headers over 16 KiB together': got(...Array.from({ length: 90 }, (_, i) => `X-${i}: ${'a'.repeat(200)}`)),
    'more header lines than the parser keeps': got(...Array.from({ length: 3000 }, () => 'a:')),
    'one header over 16 KiB': got(`X-Name: ${'a'.repeat(17_000)}`),
    'target over 16 KiB': target(`/${'a'.repeat(17_000)}`),
  }),
]

const versions: Fault[] = [
  ...rows('HTTP_VERSION_UNSUPPORTED')({
    'HTTP/1.0': request({ version: 'HTTP/1.0' }),
    'HTTP/1.0 without Host': request({ version: 'HTTP/1.0', lines: [] }),
    'HTTP/0.9': request({ version: 'HTTP/0.9' }),
    'HTTP/0.9 without a version': 'GET /v1/ping\r\n\r\n',
    'HTTP/2.0': request({ version: 'HTTP/2.0' }),
    'HTTP/1.0 with a bad Content-Length': request({
      method: 'POST',
      version: 'HTTP/1.0',
      lines: [hostLine, 'Content-Length: 00'],
    }),
  }),
  ...rows(
    'HTTP_VERSION_UNSUPPORTED',
    inParser,
  )({
    'HTTP/1.2': request({ version: 'HTTP/1.2' }),
    'HTTP/3.0': request({ version: 'HTTP/3.0' }),
    'HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }),
]

const connect: Fault[] = rows('METHOD_NOT_ALLOWED')({
  CONNECT: request({ method: 'CONNECT', target: 'other.test:443' }),
  'CONNECT to a path': request({ method: 'CONNECT', target: '/v1/ping' }),
})

/** Every transport fault of the design; each closes the connection. */
export const faults: readonly Fault[] = [
  ...contentLength,
  ...transferEncoding,
  ...targets,
  ...hosts,
  ...headers,
  ...versions,
  ...connect,
]

/** Unusual but legal: served with 200. */
export const oddities: Readonly<Record<string, string>> = {
  'spaces around the Content-Length': `${posted('Content-Type: application/json', 'Content-Length: \t 2 \t ')}{}`,
  'header names in odd case': `POST /v1/echo HTTP/1.1\r\nhOST: ${host}\r\nCONTENT-type: application/json\r\ncontent-LENGTH: 2\r\n\r\n{}`,
  'Content-Length 0 on GET': got('Content-Length: 0'),
  'exactly 100 header lines': got(...Array.from({ length: 99 }, (_, i) => `X-${i}: a`)),
  'empty lines before the request': `\r\n\r\n${got()}`,
  'a tab inside a header': got('X-Name: a\tb'),
  'a query with everything a path must not have': target('/v1/ping?a=%2f..%5c%00/../%zz&b=http://x//'),
  'an escaped letter in the path': target('/v1/p%69ng'),
}
