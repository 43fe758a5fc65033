# Where `make demo`, `make test` and `.ci/run` run from nothing: docker build -t seepage . && docker run --rm seepage
FROM node:22-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-venv python3-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /seepage
COPY . .
RUN git config --global --add safe.directory /seepage
CMD ["make", "demo"]
