import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { markdown } from '../../console/site/frame/html.ts'
import { chatParameters, passedParameters } from '../../src/contract/chat-parameters.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { guide } from '../../src/documents/guide.ts'
import { openAiSupport } from '../../src/documents/openai-support.ts'
import { completionOperations } from '../../src/features/calls/openai/contract.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'

const english = openAiSupport.map((line) => line[0]).join('\n')

it('the table of what OpenAI clients can use names every parameter and path of the contract', () => {
  for (const name of [...Object.keys(chatParameters), ...passedParameters]) expect(english).toContain(`\`${name}`)
  for (const { method, path } of completionOperations.filter(({ path }) => path.startsWith('/v1/')))
    expect(english).toContain(`\`${method} ${path}\``)
})

it('the table of what OpenAI clients can use is in docs/openai.md and in the guide of /llms.txt and /docs', async () => {
  expect(await readFile(join(import.meta.dirname, '../../docs/openai.md'), 'utf8')).toContain(english)
  const operations = publicOperations(providerNames)
  for (const language of ['en', 'zh'] as const) {
    const texts = guide({ operations, origin: 'https://gateway.example' }, language).map(({ text }) => text)
    const [text] = texts.filter((one) => one.includes("`setOpenAIAPI('chat_completions')`"))
    const page = markdown(text!)
      .map((block) => block.text)
      .join('')
    expect(page.match(/<th scope="row">/g)).toHaveLength(openAiSupport.length - 2)
    expect(page.match(/<th scope="col">/g)).toHaveLength(3)
    // On a phone, where the head is not shown, each cell says whether it is supported or refused.
    const refused = language === 'en' ? 'refused' : '不支持'
    expect(page.match(new RegExp(`<td data-title="[^"]*${refused}[^"]*">`, 'g'))).toHaveLength(openAiSupport.length - 2)
  }
})
