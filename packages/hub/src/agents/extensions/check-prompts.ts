// The prompts of the agent check. These sentences are for any model; a manifest's `check` section
// replaces them for an agent that follows a script.
import { z } from 'zod'

const template = z.string().min(1).exactOptional()

/** `${CWD}`, `${FILE}`, `${STARTED}`, `${WORD}` and `${SECONDS}` are replaced. Files are relative to CWD. */
export const checkPromptsSchema = z.strictObject({
  /** A long answer without tools. */
  stream: template,
  /** Writes WORD into its answer. */
  say: template,
  /** Writes FILE with a tool for files. */
  write: template,
  /** Runs a command that creates FILE. */
  execute: template,
  /** Runs a command that creates STARTED at once and FILE after SECONDS. */
  wait: template,
  /** Mentions WORD, … */
  remember: template,
  /** … and asks for it. */
  recall: template,
})

export type CheckPrompts = Required<z.infer<typeof checkPromptsSchema>>

export const PROMPTS_FOR_MODELS: CheckPrompts = {
  stream:
    'Write the numbers from 1 to 40 as words, one per line. Use no tools and write nothing else.',
  say: 'Answer with exactly this word and nothing else, without tools: ${WORD}',
  write:
    'Create the file ${CWD}/${FILE} that contains the word quayside. Use your tool for writing files, not a shell. Do nothing else.',
  execute: 'Run exactly this shell command, once, and do nothing else: touch ${FILE}',
  wait: 'Run exactly this shell command in the foreground, once, and wait for its end: touch ${STARTED}; sleep ${SECONDS}; touch ${FILE}',
  remember:
    'Remember this word, I will ask for it later: ${WORD}. Answer only "ok", without tools.',
  recall:
    'Which word did I ask you to remember? Answer with the word alone, without tools. If you do not know it, say so.',
}

export type PromptValues = Readonly<Record<string, string | number>>

export function fillPrompt(template: string, values: PromptValues): string {
  return template.replaceAll(/\$\{([A-Z]+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  )
}
