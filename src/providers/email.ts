import { join } from 'node:path'
import { after } from '../base/timers.ts'
import { createOutboxFile, readOutboxFile } from './outbox-file.ts'
import { DeliveryFailure, type EmailMessage, type EmailSender, sendLimitMs } from './senders.ts'
import type { Credential } from './upstream.ts'

export type EmailOutboxLine = Omit<EmailMessage, 'messageId'>

const emailOutboxPath = (dataDir: string) => join(dataDir, 'email-outbox.jsonl')

/** For local use: writes messages to a file. */
export function createOutboxEmail(dataDir: string): EmailSender {
  const file = createOutboxFile(emailOutboxPath(dataDir))
  return { send: ({ messageId: _, ...line }) => file.append(line) }
}

/** Newest first. */
export const readEmailOutbox = (dataDir: string, limit: number): Promise<EmailOutboxLine[]> =>
  readOutboxFile<EmailOutboxLine>(emailOutboxPath(dataDir), limit)

/** A bare `local@domain` without spaces, quotes or control characters: nothing that could add a header or a recipient. */
const isPlainAddress = (text: string): boolean => text.length <= 254 && plainAddress.test(text)

const plainAddress = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u

interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Refuse a server that offers no STARTTLS. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

/**
 * The server that `smtps://user:password@host:465` or `smtp://user:password@host:587` names; undefined if it is neither. Only
 * a server on this machine may do without TLS.
 */
export function smtpServerOf(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) return undefined
  if (url.search || url.hash) return undefined
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    return {
      host,
      port: Number(url.port) || (secure ? 465 : 587),
      secure,
      requireTLS: !secure && !/^(localhost|::1|127(\.\d{1,3}){3})$/.test(host),
      auth: url.username
        ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
        : undefined,
    }
  } catch {
    // A malformed escape in the password.
    return undefined
  }
}

interface SmtpSettings {
  readonly from: string
  readonly fromName?: string
}

interface SmtpOptions extends SmtpSettings {
  /** Reads `SMTP_URL` for each message, so that its password is never kept. */
  readonly url: () => string | undefined
  /** Trusted in addition to the system's certificate authorities. */
  readonly ca?: string
}

/** Sends through an SMTP server, with a connection for each message. Certificates are always verified. */
export function createSmtpEmail({ url, ca, ...settings }: SmtpOptions): EmailSender {
  return {
    async send(message) {
      const server = smtpServerOf(url() ?? '')
      if (!server) throw new DeliveryFailure('SMTP_URL is missing or not valid')
      if (!isPlainAddress(message.to)) throw new DeliveryFailure('the address cannot receive email')
      const raw = await compose(message, settings)
      await deliver(server, { from: settings.from, to: message.to, raw, ca })
    },
  }
}

async function compose({ messageId, to, subject, text, sentAt }: EmailMessage, { from, fromName }: SmtpSettings) {
  // Loaded with the first message: gateways without a mail server start faster.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    from: { name: fromName ?? '', address: from },
    // As an object: a string would be split at commas.
    to: { name: '', address: to },
    subject,
    text,
    date: new Date(sentAt),
    // The same for each attempt, so that the reader's program can recognize a repeated message.
    messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A text never names a file or an address to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

interface Delivery {
  readonly from: string
  readonly to: string
  readonly raw: Buffer
  readonly ca: string | undefined
}

/** Without the transport of nodemailer, which cannot be stopped at a deadline. */
async function deliver({ auth, ...server }: SmtpServer, { from, to, raw, ca }: Delivery): Promise<void> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    ...server,
    tls: { ...(ca !== undefined && { ca }) },
    maxResponseSize: 65_536,
  })
  return new Promise<void>((resolve, reject) => {
    const deadline = after(sendLimitMs, () => end(new Error('timeout')))
    const end = (error: Error | null) => {
      deadline.cancel()
      if (error) reject(failureOf(error))
      else resolve()
      connection.close()
    }
    const send = () => connection.send({ from, to: [to] }, raw, (error) => end(error))
    connection.on('error', end)
    connection.on('end', () => end(new Error('closed')))
    connection.connect((error) => {
      if (error) return end(error)
      if (!auth) return send()
      connection.login(auth, (refused) => (refused ? end(refused) : send()))
    })
  })
}

/** The server's own words may repeat the recipient, so only codes are kept. */
function failureOf(error: Error & { code?: string; command?: string; responseCode?: number }): DeliveryFailure {
  const facts = [error.code ?? error.message.slice(0, 40), error.command, error.responseCode]
  return new DeliveryFailure(`SMTP delivery failed: ${facts.filter((fact) => fact !== undefined).join(' ')}`)
}

type EmailSettings = { readonly adapter: 'outbox' | 'disabled' } | ({ readonly adapter: 'smtp' } & SmtpSettings)

/** Null if email is disabled. */
export function chooseEmail(settings: EmailSettings, dataDir: string, credential: Credential): EmailSender | null {
  switch (settings.adapter) {
    case 'outbox':
      return createOutboxEmail(dataDir)
    case 'smtp':
      return createSmtpEmail({ ...settings, url: () => credential('SMTP_URL') })
    case 'disabled':
      return null
  }
}
