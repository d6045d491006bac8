import type { Call } from '../http/route.ts'
import { pagePolicy } from '../http/static/built-app.ts'
import { createStaticContent, type StaticContent } from '../http/static/static-content.ts'
import { type Language, wordsOf } from './reference/words/words.ts'

/** A page without scripts that connect anywhere, rendered with its first visit in each language and under each prefix. */
export function createPublicPage(render: (language: Language, prefix: string) => string) {
  const rendered = new Map<string, StaticContent>()
  return (language: Language, { isPreview }: Call): StaticContent => {
    const prefix = isPreview ? '/gateway' : ''
    const name = language + prefix
    const known = rendered.get(name)
    if (known) return known
    const content = createStaticContent({
      body: render(language, prefix),
      contentType: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': pagePolicy({ connects: false }),
        'content-language': wordsOf[language].lang,
        vary: 'accept-encoding, accept-language',
      },
    })
    rendered.set(name, content)
    return content
  }
}
