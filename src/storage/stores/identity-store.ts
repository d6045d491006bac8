import { AccountConflict, type IdentityReader, type IdentityStore, type IdentityWriter } from '../../identity/ports.ts'
import { type Engine, type Reader, UniqueViolation, type Writer } from '../engine.ts'
import { createPurge } from './expiry.ts'
import { accountReads, accountWrites } from './identity/accounts.ts'
import { challengeReads, challengeWrites } from './identity/challenges.ts'
import { requesterWrites } from './identity/requesters.ts'
import { sessionReads, sessionWrites } from './identity/sessions.ts'
import { addMessage } from './message-store.ts'
import { takeFrom } from './rate-windows.ts'
import { readSecretVersions } from './secret-store.ts'

export function createIdentityStore(engine: Engine): IdentityStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: async (work) => {
      try {
        return await engine.write((tx) => work(identityWriter(tx)))
      } catch (error) {
        throw error instanceof UniqueViolation ? new AccountConflict(error.message, { cause: error }) : error
      }
    },
  }
}

function reader(tx: Reader): IdentityReader {
  return {
    ...accountReads(tx),
    ...challengeReads(tx),
    ...sessionReads(tx),
    secretVersions: () => readSecretVersions(tx),
  }
}

export function identityWriter(tx: Writer): IdentityWriter {
  return {
    ...reader(tx),
    ...accountWrites(tx),
    ...requesterWrites(tx),
    ...challengeWrites(tx),
    ...sessionWrites(tx),
    takeFrom: (bucket, limit, now) => takeFrom(tx, bucket, limit, now),
    addMessage: (row) => addMessage(tx, row),
    purge: createPurge(tx),
  }
}
