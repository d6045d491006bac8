/** A code that is under way: what the tab needs to go on after a reload, and no secret. */
export interface SentCode {
  /** What it was sent to. */
  readonly contact: string
  readonly challengeId: string
  readonly resendAtMs: number
  readonly expiresAtMs: number
}

export type CodePurpose = 'registration' | 'recovery' | 'email'

/** For this tab, because a phone drops it while the message is read. A browser may refuse to keep anything. */
export function keptChallenge(purpose: CodePurpose) {
  const keptAs = `console-${purpose}`
  return {
    read(): SentCode | null {
      try {
        const sent = JSON.parse(sessionStorage.getItem(keptAs) ?? 'null') as SentCode | null
        return sent && sent.expiresAtMs > Date.now() ? sent : null
      } catch {
        return null
      }
    },
    keep(sent: SentCode): void {
      try {
        sessionStorage.setItem(keptAs, JSON.stringify(sent))
      } catch {}
    },
    forget(): void {
      try {
        sessionStorage.removeItem(keptAs)
      } catch {}
    },
  }
}
