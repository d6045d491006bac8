import { createHandOver } from './hand-over.ts'

/** A key that was just created, on its way to the playground. */
export const handedKey = createHandOver<string>()

/** What was typed to register, on its way to the sign-in form. */
export const handedCredentials = createHandOver<{ readonly identifier: string; readonly password: string }>()
