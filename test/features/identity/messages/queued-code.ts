import { createKeyring } from '../../../../src/base/keyring.ts'
import { createAccountStore } from '../../../../src/features/identity/accounts/store.ts'
import { createOutbox } from '../../../../src/features/identity/messages/message.ts'
import type { Store } from '../../../../testkit/store/engines.ts'

export const secret = 'the secret of the tests, 32 bytes or more'

/** Adds a recovery code as a request would, in a second store of the gateway. */
export async function addCode(store: Store, code: string) {
  const outbox = createOutbox({ keyring: createKeyring(secret), clock: Date.now, wake: () => {} })
  const content = { kind: 'recovery', to: '13800138000', code, challengeId: `gvc_${code}` } as const
  const row = outbox.prepare('sms', content, { accountId: null, expiresAt: Date.now() + 300_000 })
  await createAccountStore(store).write((tx) => tx.addMessage(row))
}

export const messagesIn = (store: Store) => store.read((tx) => tx.all('SELECT message_id FROM messages'))
