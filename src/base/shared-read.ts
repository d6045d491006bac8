/** Answers many questions with one read at a time: those that are asked while one is under way share the next. */
export function shareReads<Question, Answer>(
  read: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let next: { readonly questions: Question[]; readonly answers: Promise<readonly Answer[]> } | null = null
  let underWay: Promise<unknown> = Promise.resolve()

  function beginNext(): NonNullable<typeof next> {
    const questions: Question[] = []
    const answers = underWay.then(() => {
      next = null
      return read(questions)
    })
    underWay = answers.catch(() => {})
    return { questions, answers }
  }

  return async (question) => {
    next ??= beginNext()
    const { answers, questions } = next
    const place = questions.push(question) - 1
    return (await answers)[place]!
  }
}
