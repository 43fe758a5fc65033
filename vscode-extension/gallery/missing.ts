/** Reads what is kept of an example, and writes the questions that are missing, and the measures that are asked at the values of the text alone: the other half of `gallery/recording.py`. */

import { readFileSync } from "node:fs";
import { atText, atTextAlone, keyOf, type Kept, missing, resultsOf } from "./kept";

const kept = JSON.parse(readFileSync(0, "utf8")) as Kept;
const results = resultsOf(kept);
const asked = missing(kept).map((each) => ({
  ...each,
  key: keyOf(results, each),
  base: keyOf(results, atText(each)),
}));
process.stdout.write(JSON.stringify({ asked, atTextAlone: atTextAlone(kept) }));
