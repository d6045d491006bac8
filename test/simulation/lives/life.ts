import type { CallingPerson, PayingPerson, Person, Scene } from '../actors.ts'
import { ConnectionLost, type GatewayResponse, type SentRequest } from '../gateways.ts'
import type { SimulatedStore } from '../store.ts'
import { origin, type Payer, type Template } from '../template.ts'

export interface LifeScene extends Scene {
  readonly store: SimulatedStore
  readonly template: Template
  readonly payers: readonly PayingPerson[]
  readonly callers: readonly CallingPerson[]
}

/** Someone, or some program, that does something in the world and is done with it at some point. */
export interface Actor {
  readonly name: string
  start(): void
  readonly isDone: boolean
}

/** One capability in use: who uses it, and what must be true of it at the end. */
export interface Life {
  /** They begin with everybody else. */
  readonly people?: readonly Actor[]
  /** Begins once everything has come to rest, one life after another. */
  readonly last?: Actor
  /** Calls `world.fail` with what is wrong. */
  readonly check?: () => void | Promise<void>
}

export type BeginLife = (scene: LifeScene) => Life

/** Calls `see` with the key of each row of a table that a commit wrote. */
export function afterEachCommit(store: SimulatedStore, table: string, see: (id: string) => void): void {
  const { onCommit } = store
  store.onCommit = (written) => {
    onCommit(written)
    for (const key of written.get(table) ?? []) see(JSON.parse(key)[0])
  }
}

/** A request of the console. */
export const consoleRequest = (
  { cookie, csrfToken }: Payer,
  path: string,
  body: object,
  idempotencyKey?: string,
): SentRequest => ({
  method: 'POST',
  path,
  headers: {
    origin,
    cookie,
    'x-csrf-token': csrfToken,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
  body,
})

/** One attempt; null if no response came back. */
export const tryOnce = (person: Person, request: SentRequest): Promise<GatewayResponse | null> =>
  person.attempt(request).catch((error) => {
    if (error instanceof ConnectionLost) return null
    throw error
  })
