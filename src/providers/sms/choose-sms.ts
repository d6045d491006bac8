import type { SmsSender } from '../../identity/ports.ts'
import { createOutboxSms } from './outbox.ts'

const failing = (reason: string): SmsSender => ({
  send: async () => {
    throw new Error(reason)
  },
})

export function chooseSms(kind: 'outbox' | 'failing' | 'disabled', dataDir: string): SmsSender {
  switch (kind) {
    case 'outbox':
      return createOutboxSms(dataDir)
    case 'failing':
      return failing('this adapter fails on purpose')
    case 'disabled':
      return failing('no SMS adapter is configured')
  }
}
