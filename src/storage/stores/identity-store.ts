import type { AddEvent } from '../../events/ports.ts'
import { AccountConflict, type IdentityReader, type IdentityStore, type IdentityWriter } from '../../identity/ports.ts'
import { type Engine, type Reader, UniqueViolation, type Writer } from '../engine.ts'
import { writeWithEvents } from './event-store.ts'
import { createPurge } from './expiry.ts'
import { accountReads, accountWrites } from './identity/accounts.ts'
import { challengeReads, challengeWrites } from './identity/challenges.ts'
import { requesterWrites } from './identity/requesters.ts'
import { sessionReads, sessionWrites } from './identity/sessions.ts'
import { addMessage } from './message-store.ts'
import { countIn, takeFrom, usedIn } from './rate-windows.ts'
import { readSecretVersions } from './secret-store.ts'

export function createIdentityStore(engine: Engine, onEvents = () => {}): IdentityStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: async (work) => {
      try {
        return await writeWithEvents(engine, onEvents, (tx, add) => work(identityWriter(tx, add)))
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

export function identityWriter(tx: Writer, addEvent: AddEvent): IdentityWriter {
  return {
    ...reader(tx),
    ...accountWrites(tx),
    ...requesterWrites(tx),
    ...challengeWrites(tx),
    ...sessionWrites(tx),
    takeFrom: (bucket, limit, now) => takeFrom(tx, bucket, limit, now),
    countIn: (bucket, windowSeconds, now) => countIn(tx, bucket, windowSeconds, now),
    usedIn: (bucket, windowSeconds, now) => usedIn(tx, bucket, windowSeconds, now),
    addMessage: (row) => addMessage(tx, row),
    addEvent,
    purge: createPurge(tx),
  }
}
