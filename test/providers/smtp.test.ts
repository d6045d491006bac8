import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSmtpEmail, smtpServerOf } from '../../src/providers/email.ts'
import { DeliveryFailure, type EmailMessage } from '../../src/providers/senders.ts'
import { localhostCertificate } from '../../testkit/providers/localhost-certificate.ts'

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const step of undo.splice(0)) await step()
})

const message: EmailMessage = {
  messageId: 'msg_1',
  to: 'payer@example.com',
  kind: 'recovery',
  subject: '找回密码验证码 · Your recovery code',
  text: '验证码：123456\n.\nline after a lone dot\n',
  code: '123456',
  challengeId: 'gvc_1',
  sentAt: '2026-09-03T08:00:00.000Z',
}

interface Received {
  readonly from: string
  readonly to: string[]
  readonly raw: string
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

async function startServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    ...localhostCertificate,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss word'
        ? done(null, { user: username })
        : done(new Error('wrong password of payer@example.com')),
    onData: async (stream, { envelope, user, secure }, done) => {
      const raw = await text(stream)
      const { mailFrom, rcptTo } = envelope
      const from = mailFrom ? mailFrom.address : ''
      received.push({ from, to: rcptTo.map(({ address }) => address), raw, user: user as string, isEncrypted: secure })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  undo.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { received, port: (listening.address() as { port: number }).port }
}

const sender = (url: string, trusts = true) =>
  createSmtpEmail({
    url: () => url,
    from: 'no-reply@gateway.example',
    fromName: 'Gateway, Inc.',
    ...(trusts && { ca: localhostCertificate.cert }),
  })

const failureOf = async (sending: Promise<void>) => {
  const failure = await sending.then(
    () => expect.fail('it was sent'),
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(DeliveryFailure)
  // Whatever the server says, the log learns neither the recipient nor the code nor the password.
  expect(`${failure.message}${failure.cause ?? ''}`).not.toMatch(/payer|123456|p@ss/)
  return failure.message
}

describe('email through SMTP', () => {
  test('an encrypted, authenticated delivery arrives as it was written', async () => {
    const { received, port } = await startServer({ secure: true })
    await sender(`smtps://gateway:p%40ss%20word@127.0.0.1:${port}`).send(message)
    expect(received).toMatchObject([
      { from: 'no-reply@gateway.example', to: ['payer@example.com'], user: 'gateway', isEncrypted: true },
    ])
    const [head, body] = received[0]!.raw.split('\r\n\r\n') as [string, string]
    expect(head).toContain('From: "Gateway, Inc." <no-reply@gateway.example>')
    expect(head).toContain('To: payer@example.com')
    expect(head).toContain('Message-ID: <msg_1@gateway.example>')
    expect(head).toContain('Date: Thu, 03 Sep 2026 08:00:00 +0000')
    expect(head).toContain('Auto-Submitted: auto-generated')
    expect(decoded(head, body)).toBe(message.text.replaceAll('\n', '\r\n'))
  })

  test('STARTTLS is used where the server offers it', async () => {
    const { received, port } = await startServer()
    await sender(`smtp://gateway:p%40ss%20word@127.0.0.1:${port}`).send(message)
    expect(received).toMatchObject([{ user: 'gateway', isEncrypted: true }])
  })

  test.each([
    ['TLS', 'smtps', { secure: true }],
    ['STARTTLS', 'smtp', {}],
  ])('a certificate that does not verify is refused with %s, before anything is said', async (_, scheme, options) => {
    const { received, port } = await startServer({ ...options, onAuth: () => expect.fail('it logged in') })
    const failure = await failureOf(sender(`${scheme}://gateway:p%40ss%20word@127.0.0.1:${port}`, false).send(message))
    expect(failure).toMatch(/^SMTP delivery failed: (ESOCKET|ETLS)/)
    expect(received).toEqual([])
  })

  test('only a server on this machine may do without TLS', async () => {
    const { received, port } = await startServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
    await sender(`smtp://127.0.0.1:${port}`).send(message)
    expect(received).toMatchObject([{ isEncrypted: false }])
    expect(smtpServerOf('smtp://mail.example')).toMatchObject({ port: 587, secure: false, requireTLS: true })
    expect(smtpServerOf('smtps://mail.example')).toMatchObject({ port: 465, secure: true })
  })

  test('a wrong password and a refused recipient are failures with a code and no name', async () => {
    const { port } = await startServer({ secure: true })
    expect(await failureOf(sender(`smtps://gateway:wrong@127.0.0.1:${port}`).send(message))).toContain('EAUTH')
    const refusing = await startServer({
      authOptional: true,
      onRcptTo: ({ address }, _session, done) => done(new Error(`no such user ${address}`)),
    })
    const failure = await failureOf(sender(`smtp://127.0.0.1:${refusing.port}`).send(message))
    expect(failure).toMatch(/^SMTP delivery failed: EENVELOPE .*550$/)
  })

  test.each([
    'payer@example.com\r\nBcc: victim@example.com',
    'payer@example.com\nSubject: other',
    'payer@example.com, victim@example.com',
    'payer@example.com> SIZE=1\r\nRCPT TO:<victim@example.com',
    '"payer\r\n"@example.com',
    'payer@example.com\0',
    'payer',
  ])('the address %j adds no header and no recipient', async (to) => {
    const { received, port } = await startServer({ authOptional: true })
    const failure = await sender(`smtp://127.0.0.1:${port}`)
      .send({ ...message, to })
      .catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'DeliveryFailure', message: 'the address cannot receive email' })
    expect(received).toEqual([])
  })

  test('a server that does not respond is given up after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sockets: Socket[] = []
    const server: Server = createServer((socket) => sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    undo.push(
      () => {
        for (const socket of sockets) socket.destroy()
      },
      () => new Promise((resolve) => server.close(resolve)),
    )
    const connected = once(server, 'connection')
    const sending = failureOf(sender(`smtp://127.0.0.1:${(server.address() as { port: number }).port}`).send(message))
    await connected
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await sending).toBe('SMTP delivery failed: timeout')
    await expect.poll(() => sockets[0]!.destroyed || sockets[0]!.readableEnded).toBe(true)
  })

  test.each([
    '',
    'mail.example',
    'https://mail.example',
    'smtp://',
    'smtps://mail.example?tls.rejectUnauthorized=false',
    'smtp://u:%zz@h',
  ])('SMTP_URL "%s" is not usable', async (url) => {
    expect(smtpServerOf(url)).toBeUndefined()
    expect(await failureOf(sender(url).send(message))).toBe('SMTP_URL is missing or not valid')
  })
})

function decoded(head: string, body: string): string {
  expect(head).toContain('Content-Transfer-Encoding: quoted-printable')
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
