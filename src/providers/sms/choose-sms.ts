import type { SmsSender } from '../../identity/ports.ts'
import { createOutboxSms } from './outbox.ts'

const refusing = (reason: string): SmsSender => ({
  send: async () => {
    throw new Error(reason)
  },
})

export function chooseSms(kind: 'outbox' | 'failing' | 'disabled', dataDir: string): SmsSender {
  switch (kind) {
    case 'outbox':
      return createOutboxSms(dataDir)
    case 'failing':
      return refusing('this adapter refuses every message')
    case 'disabled':
      return refusing('no SMS adapter is configured')
  }
}
