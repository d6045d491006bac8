import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { DeliveryFailure, type EmailMessage, type EmailSender, sendLimitMs } from '../../messages/senders.ts'
import { isPlainAddress } from './plain-address.ts'
import { type SmtpServer, smtpServerOf } from './smtp-server-of.ts'

export interface SmtpSettings {
  readonly from: string
  readonly fromName?: string
}

export interface SmtpOptions extends SmtpSettings {
  /** Reads `SMTP_URL` for each message, so that its password is never kept. */
  readonly url: () => string | undefined
  /** Trusted besides the system's certificate authorities. */
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

const compose = ({ messageId, to, subject, text, sentAt }: EmailMessage, { from, fromName }: SmtpSettings) =>
  new MailComposer({
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

interface Delivery {
  readonly from: string
  readonly to: string
  readonly raw: Buffer
  readonly ca: string | undefined
}

/** Without the transport of nodemailer, which cannot be stopped at a deadline. */
function deliver({ auth, ...server }: SmtpServer, { from, to, raw, ca }: Delivery): Promise<void> {
  const connection = new SMTPConnection({
    ...server,
    tls: { ...(ca !== undefined && { ca }) },
    maxResponseSize: 65_536,
  })
  return new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => end(new Error('timeout')), sendLimitMs)
    const end = (error: Error | null) => {
      clearTimeout(deadline)
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
