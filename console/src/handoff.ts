import { useEffect, useState } from 'react'

/** Passes a secret from one page to the next, in memory only, and forgets it on arrival. */
interface Handoff<T> {
  readonly give: (value: T) => void
  /** The value given for this page; null if none. */
  readonly useGiven: () => T | null
}

function createHandoff<T>(): Handoff<T> {
  let given: T | null = null
  return {
    give(value) {
      given = value
    },
    useGiven() {
      // Read while rendering, which may happen more than once; forgotten once the page has mounted.
      const [value] = useState(() => given)
      useEffect(() => {
        given = null
      }, [])
      return value
    },
  }
}

/** A new key, for the playground. */
export const handedKey = createHandoff<string>()

export interface HandedCredentials {
  readonly identifier: string
  readonly password: string
  /** What the sign-in page says about them. */
  readonly notice: 'afterUnknown' | 'afterUnknownChange' | 'afterRecovery'
}

/** What was typed to register or recover, for the sign-in form. */
export const handedCredentials = createHandoff<HandedCredentials>()

/** A phone number or an email address that was typed before, for the next form of a guest. */
export const handedIdentifier = createHandoff<string>()
