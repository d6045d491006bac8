import { createHandOver } from './hand-over.ts'

/** A key that was just created, on its way to the playground. */
export const handedKey = createHandOver<string>()

export interface HandedCredentials {
  readonly identifier: string
  readonly password: string
  /** What the sign-in page says about them. */
  readonly notice: 'afterUnknown' | 'afterUnknownChange' | 'afterRecovery'
}

/** What was typed to register or to recover, on its way to the sign-in form. */
export const handedCredentials = createHandOver<HandedCredentials>()

/** What was typed to sign in, on its way to recovery. */
export const handedIdentifier = createHandOver<string>()
