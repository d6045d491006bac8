import type { Scope } from '../contract/prices.ts'

export interface KeyRow {
  readonly keyId: string
  readonly projectId: string
  readonly displayPrefix: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly revokedAt: number | null
  /** When its account was suspended; null unless it is. */
  readonly suspendedAt: number | null
  readonly expiresAt: number | null
  readonly rotatedFromKeyId: string | null
  readonly calls: number
  readonly lastUsedAt: number | null
}

export interface KeyStore {
  read<T>(work: (tx: KeyReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: KeyWriter) => Promise<T>): Promise<T>
}

export interface KeyReader {
  /** Active keys first, newest first within each group. */
  keysOf(projectId: string, now: number): Promise<KeyRow[]>
  byDigest(keyDigest: string): Promise<KeyRow | undefined>
}

export interface KeyWriter extends KeyReader {
  /** Also locks the project against new keys until this write ends. */
  countActive(projectId: string, now: number): Promise<number>
  insert(row: KeyRow & { keyDigest: string }): Promise<void>
  /** Keeps the first revocation time. False if the project has no such key. */
  revoke(projectId: string, keyId: string, at: number): Promise<boolean>
}
