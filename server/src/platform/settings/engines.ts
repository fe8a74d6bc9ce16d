// Settings of the offline speech engines.
import { z } from 'zod'
import { flag, free, minutes, path, set, whole } from './kinds.ts'

export const engineSettings = {
  PARLEY_MODELS_DIR: free(
    path(),
    'Where the weights of the offline speech engines are kept, some 100 MB and more; may be shared. Unset: `.cache/parley-models` in your home folder.',
  ),
  PARLEY_TTS: set(
    z
      .enum(['wren', 'kokoro', 'auto'], 'wren or kokoro')
      // This value names the default engine, whichever it is.
      .transform((engine) => (engine === 'auto' ? 'wren' : engine)),
    'wren',
    'The offline voice. `wren` speaks for many calls on one core; `kokoro` has more voices, takes most of a core for a single call, and its weights are fetched by `make models`.',
  ),
  PARLEY_SPEECH_THREADS: free(
    whole(1, 256),
    'Threads of the offline recognizer, and again of the voice. Unset: half of the cores.',
  ),
  PARLEY_TRANSCRIBE_THREADS: free(
    whole(1, 256),
    'Threads of the offline recognizer of recordings. Unset: all cores but one.',
  ),
  PARLEY_TRANSCRIBE_NICENESS: set(
    whole(0, 19),
    '19',
    'How far these threads give way to everything else on the machine, as `nice` counts (Linux): with 19 they only get what nobody else wants, so beside a program that never rests a recording waits for hours; with 0 they take their share, of calls as well. Lower it where nobody calls, or where other programs are always busy.',
  ),
  PARLEY_WHISPER: set(
    z.enum(['base', 'small'], 'base or small'),
    'base',
    'The offline recognizer of other languages than English, in calls and recordings. `small` gets fewer words wrong and takes two to three times as long; its weights are 165 MB.',
  ),
  PARLEY_WARM_ENGINES: free(
    flag(),
    'Whether offline engines are loaded at the start, so that the first call does not ring until they are. `true`: those of English calls, and those of the active agents that are called most while a gigabyte of memory is free; half a gigabyte and more that is kept for good. `false`: none. Unset: `true` with `PARLEY_SIP_PORT`; else those of the active agents only, and `PARLEY_ENGINE_IDLE_MINUTES` holds for them.',
  ),
  PARLEY_ENGINE_IDLE_MINUTES: set(
    minutes(),
    '10',
    'An offline engine that was not used for this long gives back its threads and its memory, and is loaded again when it is needed. 0 keeps it for good; with `PARLEY_WARM_ENGINES` the engines of calls are always kept.',
  ),
  PARLEY_ENGINE_FALLBACK: set(
    z.enum(['embedded', 'fail'], 'embedded or fail'),
    'embedded',
    'When an agent names a speech vendor that has no credentials here: `embedded` speaks and listens with the offline engines and says so in the record of the call; `fail` ends the call with the reason.',
  ),
  PARLEY_SPEECH_CACHE_MB: set(
    whole(0, 1_000_000),
    '1024',
    'How much speech of vendors is kept, over all processes: the greetings and fixed sentences of agents, in `PARLEY_DATA_DIR` or the S3-compatible store. What was used least recently makes room. 0: none.',
  ),
  PARLEY_FFMPEG_DIR: free(
    path(),
    'The folder of `ffmpeg` and `ffprobe`. Unset: where systems put them. Without them only plain WAV is read.',
  ),
}
