// A short, quiet sound. Browsers allow it only after the person has interacted with the page.

const TONES = [660, 880]
const TONE_SECONDS = 0.12
const VOLUME = 0.08

export async function playSound(): Promise<void> {
  const audio = new AudioContext()
  try {
    await audio.resume()
    const volume = audio.createGain()
    volume.gain.value = VOLUME
    volume.connect(audio.destination)
    TONES.forEach((frequency, index) => {
      const tone = audio.createOscillator()
      tone.frequency.value = frequency
      tone.connect(volume)
      tone.start(audio.currentTime + index * TONE_SECONDS)
      tone.stop(audio.currentTime + (index + 1) * TONE_SECONDS)
    })
    await new Promise((resolve) => setTimeout(resolve, (TONES.length + 1) * TONE_SECONDS * 1_000))
  } finally {
    await audio.close()
  }
}
