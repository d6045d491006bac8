import type { EmailSender } from '../../messages/senders.ts'
import type { Credential } from '../upstream.ts'
import { createOutboxEmail } from './outbox.ts'
import { createSmtpEmail, type SmtpSettings } from './smtp.ts'

export type EmailSettings = { readonly adapter: 'outbox' | 'disabled' } | ({ readonly adapter: 'smtp' } & SmtpSettings)

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
